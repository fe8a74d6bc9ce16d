// Invitations: an admin says who may do what, the person who is invited chooses a name and a password. A link is used
// once, expires, and is stored as a hash.
import type { dashboard, PageQuery } from '@parley/contract'
import { fail, refuseField } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Db } from '../../platform/db/db.ts'
import { newId, randomBase62 } from '../../platform/ids.ts'
import { hashPassword } from '../../platform/passwords.ts'
import { sha256 } from '../../platform/secrets.ts'
import {
  findInvitation,
  findInvitationFor,
  type InvitationRow,
  insertInvitation,
  pageOfInvitations,
  revokeInvitation,
  takeInvitation,
} from './invitation-store.ts'
import { removeSessionsExcept } from './session-store.ts'
import { addMemberships, findUser, findUserByEmail, updateUser } from './store.ts'
import { createUser } from './user-record.ts'

export interface InvitationOptions {
  readonly db: Db
  readonly validHours: number
  /** Where the dashboard is found, if the operator has said so. */
  readonly publicUrl: string | undefined
}

export interface InvitationWish {
  readonly email: string
  readonly owner: boolean
  readonly workspaces: readonly dashboard.Membership[]
  /** Who invites. */
  readonly by: string
  /** The URL through which they reached us. */
  readonly origin: string
}

type CreatedInvitation = ReturnType<typeof dashboard.createInvitation.data.parse>

const hourMs = 3_600_000

export const invitations = ({ db, validHours, publicUrl }: InvitationOptions) => {
  /** The token is after the #, which is not sent to the server and appears in no log. */
  const newLink = (origin: string) => {
    const token = randomBase62(40)
    const expiresAt = new Date(Date.now() + validHours * hourMs)
    return {
      tokenHash: sha256(token),
      expiresAt,
      shown: {
        link: `${publicUrl?.replace(/\/$/, '') ?? origin}/dashboard/invitation#${token}`,
        expires_at: expiresAt.toISOString(),
      },
    }
  }

  return {
    list: async (visibleIds: string[] | null, query: PageQuery) =>
      listOf(query, await pageOfInvitations(db, visibleIds, query), view),

    /** Somebody who is a user already becomes a member at once: their password is their own. */
    async invite({ email, owner, workspaces, by, origin }: InvitationWish): Promise<CreatedInvitation> {
      return db.transaction(async (tx) => {
        const known = await findUserByEmail(tx, email)
        if (known) {
          await addMemberships(tx, known.user_id, workspaces)
          if (owner) await updateUser(tx, known.user_id, { owner })
          return { is: 'added', user_id: known.user_id, email: known.email }
        }
        const { tokenHash, expiresAt, shown } = newLink(origin)
        const made = { tokenHash, expiresAt, email, owner, workspaces, invitedBy: by, userId: null }
        await insertInvitation(tx, { invitationId: newId(), ...made })
        const invitation = view((await findInvitationFor(tx, email)) as InvitationRow)
        return { is: 'invited', invitation, ...shown }
      })
    },

    async isInvited(email: string): Promise<boolean> {
      return (await findInvitationFor(db, email)) !== undefined
    },

    /** For a user who has lost theirs. The former password counts until a new one is chosen. */
    async passwordLink(userId: string, by: string, origin: string) {
      const { email } = (await findUser(db, userId)) ?? fail('USER_NOT_FOUND')
      const { tokenHash, expiresAt, shown } = newLink(origin)
      await db.transaction((tx) =>
        insertInvitation(tx, {
          invitationId: newId(),
          tokenHash,
          expiresAt,
          email,
          userId,
          owner: false,
          workspaces: [],
          invitedBy: by,
        }),
      )
      return shown
    },

    async revoke(visibleIds: string[] | null, invitationId: string) {
      if (!(await revokeInvitation(db, visibleIds, invitationId))) fail('INVITATION_NOT_FOUND')
      return { invitation_id: invitationId, revoked: true as const }
    },

    async read(token: string) {
      const row = (await findInvitation(db, sha256(token))) ?? fail('INVITATION_NOT_FOUND')
      return {
        is: row.user_id ? ('password' as const) : ('invitation' as const),
        email: row.email,
        owner: row.owner,
        workspaces: row.workspaces.map(({ name, role }) => ({ name, role })),
        expires_at: row.expires_at.toISOString(),
      }
    },

    /** Returns the id of the user. */
    async accept(token: string, name: string | undefined, password: string): Promise<string> {
      const { invitation_id, user_id, email, owner, workspaces } =
        (await findInvitation(db, sha256(token))) ?? fail('INVITATION_NOT_FOUND')
      if (!user_id && !name) refuseField('name', 'Say who you are: others see your name.')
      const passwordHash = await hashPassword(password)
      return db.transaction(async (tx) => {
        if (!(await takeInvitation(tx, invitation_id))) fail('INVITATION_NOT_FOUND')
        if (!user_id) return (await createUser(tx, { email, name, passwordHash, owner, workspaces })).user_id
        await updateUser(tx, user_id, { passwordHash })
        await removeSessionsExcept(tx, user_id, null)
        return user_id
      })
    },
  }
}

export type Invitations = ReturnType<typeof invitations>

const view = ({
  user_id: _,
  workspaces,
  created_at,
  expires_at,
  ...row
}: InvitationRow): dashboard.Invitation => ({
  ...row,
  workspaces: workspaces.map(({ workspace_id, role }) => ({ workspace_id, role })),
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
})
