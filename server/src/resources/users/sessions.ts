// Dashboard sign-in. The session token is its own kind of credential: it is not accepted as an API key.
import { randomBytes } from 'node:crypto'
import { type dashboard, Id, type PageQuery } from '@parley/contract'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Person, Visitor } from '../../http/doors/dashboard-door.ts'
import { fail, refuseField } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Db, Queries } from '../../platform/db/db.ts'
import { randomBase62 } from '../../platform/ids.ts'
import { checkPassword, hashPassword } from '../../platform/passwords.ts'
import { sha256 } from '../../platform/secrets.ts'
import {
  findSession,
  insertLink,
  insertSession,
  isOpenWorkspace,
  pageOfSessions,
  removeSession,
  removeSessionOf,
  removeSessionsExcept,
  type SignedInRow,
  touchSession,
  useLink,
} from './session-store.ts'
import { changePasswordHash, findUser, findUserByEmail } from './store.ts'
import { userView } from './user-record.ts'

// A week: short enough to limit the damage of a stolen laptop, long enough not to be a nuisance.
const lifetimeMs = 7 * 24 * 3600 * 1000
// A person mistypes a few times; a guessing program gets 10 tries per 15 minutes.
const guesses = { points: 10, duration: 15 * 60 }

// The operator opens it right after starting the service; a link left in a log must not stay valid.
const linkMs = 15 * 60 * 1000
const linkUsed = 'This link was used already, or is too old; sign in with your password.'

/** A token that signs this user in once. */
export async function makeLink(db: Queries, email: string): Promise<string> {
  const token = randomBase62(40)
  await insertLink(db, sha256(token), email, new Date(Date.now() + linkMs))
  return token
}

export interface Login {
  token: string
  expiresAt: Date
}

/** From where somebody signs in. */
export type SignInPlace = Pick<Visitor, 'address' | 'device'>

export const sessions = (db: Db) => {
  const guessed = new RateLimiterMemory(guesses)
  const begin = async (
    userId: string,
    passwordHash: string | null,
    { device, address }: SignInPlace,
  ): Promise<Login | undefined> => {
    const token = `ses_${randomBytes(32).toString('base64url')}`
    const expiresAt = new Date(Date.now() + lifetimeMs)
    const tokenHash = sha256(token)
    const begun = await insertSession(db, { tokenHash, userId, expiresAt, passwordHash, device, address })
    return begun ? { token, expiresAt } : undefined
  }
  return {
    async login(email: string, password: string, place: SignInPlace): Promise<Login> {
      const { address } = place
      const who = `${address} ${email.toLowerCase()}`
      await guessed.consume(who).catch(({ msBeforeNext }: { msBeforeNext: number }) => {
        const seconds = String(Math.ceil(msBeforeNext / 1000))
        fail('RATE_LIMITED', {
          message: 'Too many failed logins; wait a while.',
          headers: { 'retry-after': seconds },
        })
      })
      const user = await findUserByEmail(db, email)
      if (!(await checkPassword(password, user?.password_hash)) || !user) fail('LOGIN_FAILED')
      await guessed.delete(who)
      return (await begin(user.user_id, user.password_hash, place)) ?? fail('LOGIN_FAILED')
    },

    /** Single use: a used or expired link is treated like a wrong password. */
    async openLink(token: string, place: SignInPlace): Promise<Login> {
      const userId = await useLink(db, sha256(token))
      return (userId && (await begin(userId, null, place))) || fail('LOGIN_FAILED', { message: linkUsed })
    },

    /** For somebody whose right was checked otherwise. */
    begin: async (userId: string, place: SignInPlace): Promise<Login> =>
      (await begin(userId, null, place)) ?? fail('USER_NOT_FOUND'),

    async logout(token: string): Promise<void> {
      await removeSession(db, sha256(token))
    },

    async changePassword({ user, sessionId }: Person, current: string, next: string): Promise<void> {
      const row = await findUser(db, user.user_id)
      if (!row || !(await checkPassword(current, row.password_hash))) notYourPassword()
      const { user_id: userId, password_hash: before } = row
      const after = await hashPassword(next)
      await db.transaction(async (tx) => {
        if (!(await changePasswordHash(tx, userId, before, after))) notYourPassword()
        await removeSessionsExcept(tx, userId, sessionId)
      })
    },

    async find(token: string): Promise<Person | undefined> {
      const row = await findSession(db, sha256(token))
      if (!row) return undefined
      const { session_id: sessionId, expires_at: expiresAt, unseen } = row
      return { user: userView(row), sessionId, token, expiresAt, unseen }
    },

    /** Records that a user is active, though not with every request: "last seen" is not worth a write each time. */
    async seen(person: Person, address: string): Promise<void> {
      if (person.unseen) await touchSession(db, person.sessionId, address)
    },

    isOpen: async (workspaceId: string): Promise<boolean> =>
      Id.safeParse(workspaceId).success && isOpenWorkspace(db, workspaceId),

    list: async (userId: string, currentId: string, query: PageQuery) =>
      listOf(query, await pageOfSessions(db, userId, query), (row) => view(row, currentId)),

    async end(userId: string, sessionId: string) {
      if (!(await removeSessionOf(db, userId, sessionId))) fail('SESSION_NOT_FOUND')
      return { ended: 1 }
    },

    /** `but` is left; null: none. */
    async endAll(userId: string, but: string | null) {
      return { ended: await removeSessionsExcept(db, userId, but) }
    },
  }
}

const view = (row: SignedInRow, currentId: string): dashboard.SignedIn => ({
  ...row,
  created_at: row.created_at.toISOString(),
  last_seen_at: row.last_seen_at.toISOString(),
  current: row.session_id === currentId,
})

function notYourPassword(): never {
  refuseField('current_password', 'This is not your password.')
}

export type UserSessions = ReturnType<typeof sessions>
