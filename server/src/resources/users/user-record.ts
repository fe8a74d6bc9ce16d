// A user of the dashboard: stored for the first time, and as it is shown.
import type { dashboard } from '@parley/contract'
import { refuseField } from '../../http/failure.ts'
import type { Queries } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import { addMemberships, findUser, insertUser, type UserRow } from './store.ts'

export interface NewUser {
  readonly email: string
  readonly name?: string | undefined
  readonly password: string
  readonly owner: boolean
  readonly workspaces: readonly dashboard.Membership[]
}

/** Stores a new user in a transaction of the caller. */
export async function createUser(
  tx: Queries,
  { email, name, passwordHash, owner, workspaces }: Omit<NewUser, 'password'> & { passwordHash: string },
): Promise<dashboard.User> {
  const userId = newId()
  const row = { user_id: userId, email, name: name ?? null, password_hash: passwordHash, owner }
  if (!(await insertUser(tx, row))) refuseField('email', 'A user with this address exists already.')
  await addMemberships(tx, userId, workspaces)
  return userView((await findUser(tx, userId)) as UserRow)
}

export const userView = (row: UserRow): dashboard.User => ({
  user_id: row.user_id,
  email: row.email,
  name: row.name,
  owner: row.owner,
  workspaces: row.workspaces,
  created_at: row.created_at.toISOString(),
  last_login_at: row.last_login_at?.toISOString() ?? null,
})
