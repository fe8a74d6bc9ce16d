// Signing in to the dashboard. The token is a credential of its own kind: no API key, and refused as one.
import { randomBytes } from 'node:crypto'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Person } from '../../http/dashboard-door.ts'
import { fail } from '../../http/failure.ts'
import type { Db } from '../../platform/db.ts'
import { checkPassword, hashPassword } from '../../platform/passwords.ts'
import { sha256 } from '../../platform/secrets.ts'
import {
  findSession,
  findUser,
  findUserByEmail,
  insertSession,
  pruneSessions,
  removeSession,
  removeSessionsExcept,
  updateUser,
} from './store.ts'
import { userView } from './users.ts'

// A working week: short enough to limit a stolen laptop, long enough not to be a nuisance.
const lifetimeMs = 7 * 24 * 3600 * 1000
// A person mistypes a few times; a program that guesses gets 10 in a quarter of an hour.
const guesses = { points: 10, duration: 15 * 60 }

export interface Login {
  token: string
  expiresAt: Date
}

export const sessions = (db: Db) => {
  const guessed = new RateLimiterMemory(guesses)
  return {
    async login(email: string, password: string, address: string): Promise<Login> {
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
      const token = `ses_${randomBytes(32).toString('base64url')}`
      const expiresAt = new Date(Date.now() + lifetimeMs)
      await insertSession(db, sha256(token), user.user_id, expiresAt)
      return { token, expiresAt }
    },

    async logout(token: string): Promise<void> {
      await removeSession(db, sha256(token))
    },

    async changePassword({ user, token }: Person, current: string, next: string): Promise<void> {
      const row = await findUser(db, user.user_id)
      if (!row || !(await checkPassword(current, row.password_hash))) {
        fail('VALIDATION_ERROR', {
          details: [{ path: 'current_password', message: 'This is not your password.' }],
        })
      }
      await updateUser(db, row.user_id, await hashPassword(next), null)
      await removeSessionsExcept(db, row.user_id, sha256(token))
    },

    async find(token: string): Promise<Person | undefined> {
      const row = await findSession(db, sha256(token))
      return row && { user: userView(row), token, expiresAt: row.expires_at }
    },

    prune: () => pruneSessions(db),
  }
}

export type UserSessions = ReturnType<typeof sessions>
