// The answers that a repeated POST gets again, sealed, for 24 hours.
import { limits } from '@parley/contract'
import { type Db, statement, violatedConstraint, type Write } from '../platform/db.ts'
import type { Vault } from '../platform/secrets.ts'
import type { Answer } from './answer.ts'

const insert = statement(`
  INSERT INTO idempotent_answers (cache_key, answer, expires_at)
  VALUES ($1, $2, now() + interval '${limits.idempotencyHours} hours')`)

const select = statement(`
  SELECT answer, expires_at > now() AS fresh FROM idempotent_answers WHERE cache_key = $1`)

const remove = statement('DELETE FROM idempotent_answers WHERE cache_key = $1 AND expires_at <= now()')

const prune = statement('DELETE FROM idempotent_answers WHERE expires_at <= now()')

const purpose = 'idempotent answer'

export interface AnswerStore {
  /** The writes and the answer together, or neither. False when the key has an answer already. */
  commit(cacheKey: Buffer, answer: Answer, writes: readonly Write[]): Promise<boolean>
  find(cacheKey: Buffer): Promise<Answer | undefined>
  prune(): Promise<void>
}

export const answerStore = (db: Db, vault: Vault): AnswerStore => ({
  async commit(cacheKey, answer, writes) {
    const sealed = vault.seal(purpose, cacheKey.toString('hex'), `${answer.status}${answer.body}`)
    try {
      await db.atomically([{ statement: insert, values: [cacheKey, sealed] }, ...writes])
      return true
    } catch (error) {
      if (violatedConstraint(error) === 'idempotent_answers_once') return false
      throw error
    }
  },

  async find(cacheKey) {
    const row = await db.row<{ answer: Buffer; fresh: boolean }>(select, [cacheKey])
    if (!row) return undefined
    if (!row.fresh) {
      await db.rows(remove, [cacheKey])
      return undefined
    }
    const text = vault.open(purpose, cacheKey.toString('hex'), row.answer)
    return { status: Number(text.slice(0, 3)), body: text.slice(3) }
  },

  async prune() {
    await db.rows(prune)
  },
})
