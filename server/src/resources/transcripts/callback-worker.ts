// Notifies callback URLs that their transcript has ended: signed, through the guard, in up to three attempts.
import { type Queries, statement } from '../../platform/db/db.ts'
import type { Job, JobTable, SettledRow } from '../../platform/jobs/job.ts'
import type { Log } from '../../platform/log.ts'
import type { Send } from '../webhooks/webhooks.ts'
import type { CallbackSecrets } from './callback-secrets.ts'

interface Callback {
  transcript_id: string
  workspace_id: string
  url: string
  payload: string
  /** Attempts made so far. */
  attempts: number
}

export const callbacksTable: JobTable = {
  table: 'transcript_callbacks',
  id: 'delivery_id',
  lane: 'lane',
  tenant: (lane) => `SELECT left(${lane}, 36)`,
  // The id breaks ties among many that are due at the same time, so that a claim does not change the order.
  order: ['due_at', 'delivery_id'],
  returning: 'd.transcript_id, d.workspace_id, d.url, d.payload, d.attempts',
}

const insert = statement(`
  INSERT INTO transcript_callbacks (delivery_id, transcript_id, workspace_id, url, lane, payload)
  VALUES ($1, $2, $3, $4, $5, $6)`)

const settle = statement(`
  WITH o AS (
    SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[], $4::float8[]) AS o(delivery_id, claimed_by, attempts, delay_ms)
  ), again AS (
    UPDATE transcript_callbacks c SET claimed_by = NULL, attempts = o.attempts,
      due_at = now() + o.delay_ms * interval '1 millisecond'
    FROM o WHERE c.delivery_id = o.delivery_id AND c.claimed_by = o.claimed_by AND o.delay_ms IS NOT NULL
  )
  DELETE FROM transcript_callbacks c USING o
  WHERE c.delivery_id = o.delivery_id AND c.claimed_by = o.claimed_by AND o.delay_ms IS NULL`)

interface NewCallback {
  deliveryId: string
  transcriptId: string
  workspaceId: string
  url: string
  payload: string
}

export const insertCallback = (tx: Queries, callback: NewCallback) =>
  tx.rows(insert, [
    callback.deliveryId,
    callback.transcriptId,
    callback.workspaceId,
    callback.url,
    `${callback.workspaceId} ${new URL(callback.url).host}`,
    callback.payload,
  ])

/** The result of an attempt: finished, or to be retried. */
type CallbackResult =
  | { readonly is: 'over' }
  | { readonly is: 'again'; readonly attempts: number; readonly atMs: number }

export const settleCallbacks = (db: Queries, settled: readonly SettledRow<CallbackResult>[]) =>
  db.rows(settle, [
    settled.map(({ id }) => id),
    settled.map(({ claimantId }) => claimantId),
    settled.map(({ result }) => (result.is === 'again' ? result.attempts : null)),
    settled.map(({ result }) =>
      result.is === 'again' ? Math.max(0, result.atMs - performance.now()) : null,
    ),
  ])

export interface CallbackOptions {
  readonly log: Log
  readonly secrets: CallbackSecrets
  readonly send: Send
  readonly backoffMs: number
}

// The same number as for call events.
const mostAttempts = 3

const caps = {
  process: 128,
  // Per receiver: a slow request takes ten seconds, and others must have room too.
  lane: 16,
}

export const callbackJob = ({
  log,
  secrets,
  send,
  backoffMs,
}: CallbackOptions): Job<Callback, CallbackResult> => ({
  name: 'callbacks',
  table: callbacksTable,
  caps,
  faultDelayMs: backoffMs,
  settle: settleCallbacks,

  async run({ job_id: deliveryId, transcript_id, workspace_id, url, payload, attempts }) {
    const attempt = attempts + 1
    const { secret } = await secrets.read(workspace_id)
    const { type: event } = JSON.parse(payload) as { type: string }
    const parcel = { webhookId: transcript_id, secret, deliveryId, url, payload, attempt, event }
    const { error } = (await send(parcel)).attempt
    if (error === null) return { is: 'over' }
    if (attempt < mostAttempts)
      return { is: 'again', attempts: attempt, atMs: performance.now() + backoffMs * 2 ** (attempt - 1) }
    log.warn({ transcript_id, delivery_id: deliveryId, error }, 'callback failed permanently')
    return { is: 'over' }
  },
})
