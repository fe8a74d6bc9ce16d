// Stored responses to POST requests, encrypted, kept for 24 hours for repeated requests.
import { limits } from '@parley/contract'
import { type Db, isStale, statement, statementOfRows, violatedConstraint } from '../platform/db/db.ts'
import { ReadBatcher } from '../platform/db/read-batcher.ts'
import type { SealedColumn } from '../platform/reseal.ts'
import type { Vault } from '../platform/secrets.ts'
import type { Answer } from './answer.ts'
import type { PendingWork } from './work.ts'

const insert = statementOfRows(`
  INSERT INTO idempotent_answers (cache_key, answer, expires_at)
  SELECT cache_key, answer, now() + interval '${limits.idempotencyHours} hours'
  FROM unnest($1::bytea[], $2::bytea[]) AS answered(cache_key, answer)`)

// An operation with side effects outside the database claims its key first. The claim is short: the operation takes ten
// seconds, and a process that dies meanwhile must not block its key for a day.
const claimSeconds = 30

const insertClaim = statement(`
  INSERT INTO idempotent_answers (cache_key, expires_at) VALUES ($1, now() + interval '${claimSeconds} seconds')
  ON CONFLICT (cache_key) DO UPDATE SET answer = NULL, expires_at = EXCLUDED.expires_at
  WHERE idempotent_answers.expires_at <= now()
  RETURNING cache_key`)

const fulfil = statement(`
  UPDATE idempotent_answers SET answer = $2, expires_at = now() + interval '${limits.idempotencyHours} hours'
  WHERE cache_key = $1`)

const dropClaim = statement('DELETE FROM idempotent_answers WHERE cache_key = $1 AND answer IS NULL')

const select = statement(`
  SELECT cache_key, answer, expires_at > now() AS fresh FROM idempotent_answers WHERE cache_key = ANY($1)`)

const remove = statement('DELETE FROM idempotent_answers WHERE cache_key = $1 AND expires_at <= now()')

const prune = statement('DELETE FROM idempotent_answers WHERE expires_at <= now()')

const purpose = 'idempotent answer'

export const sealedAnswers: SealedColumn = {
  table: 'idempotent_answers',
  column: 'answer',
  primaryKey: ['cache_key'],
  purpose,
  place: "encode(t.cache_key, 'hex')",
  workspace: 'NULL',
}

interface Row {
  readonly cache_key: Buffer
  readonly answer: Buffer | null
  readonly fresh: boolean
}

/** Claimed: a request is in progress and has no answer yet. */
export type StoredAnswer = Answer | 'claimed'

/** `answered`: the key already has an answer. `stale`: a row that the work depends on has changed meanwhile. */
export type CommitOutcome = 'committed' | 'answered' | 'stale'

export const answerStore = (db: Db, vault: Vault) => {
  const seal = (cacheKey: Buffer, { status, body }: Answer) =>
    vault.seal(null, purpose, cacheKey.toString('hex'), `${status}${body}`)
  const lookups = new ReadBatcher<Buffer, Row>(
    (cacheKeys) => db.rows<Row>(select, [cacheKeys]),
    (row, cacheKey) => row.cache_key.equals(cacheKey),
  )

  return {
    /** The writes and the answer together, or neither. */
    async commit(cacheKey: Buffer, answer: Answer, work: PendingWork): Promise<CommitOutcome> {
      try {
        await work.commit(db, [{ statement: insert, values: [cacheKey, seal(cacheKey, answer)] }])
        return 'committed'
      } catch (error) {
        if (violatedConstraint(error) === 'idempotent_answers_once') return 'answered'
        if (isStale(error) && work.repeatable) return 'stale'
        throw error
      }
    },

    async find(cacheKey: Buffer): Promise<StoredAnswer | undefined> {
      const row = await lookups.find(cacheKey)
      if (!row) return undefined
      if (!row.fresh) {
        await db.rows(remove, [cacheKey])
        return undefined
      }
      if (row.answer === null) return 'claimed'
      const text = vault.open(purpose, cacheKey.toString('hex'), row.answer)
      return { status: Number(text.slice(0, 3)), body: text.slice(3) }
    },

    /** False if the key is claimed or already has an answer. */
    claim: async (cacheKey: Buffer): Promise<boolean> =>
      (await db.row(insertClaim, [cacheKey])) !== undefined,

    fulfil: (cacheKey: Buffer, answer: Answer, work: PendingWork): Promise<void> =>
      work.commit(db, [{ statement: fulfil, values: [cacheKey, seal(cacheKey, answer)] }]),

    async drop(cacheKey: Buffer): Promise<void> {
      await db.rows(dropClaim, [cacheKey])
    },

    async prune(): Promise<void> {
      await db.rows(prune)
    },
  }
}

export type AnswerStore = ReturnType<typeof answerStore>
