// Notifies callback URLs that their transcript has ended: signed, through the guard, in up to three attempts.
import type { Job } from '../../platform/jobs/job.ts'
import type { Log } from '../../platform/log.ts'
import type { CallbackSecrets } from './callback-secrets.ts'
import { type Callback, type CallbackResult, callbacksTable, settleCallbacks } from './callback-store.ts'

/** Sends one signed POST, like a webhook. */
export type SendCallback = (parcel: {
  webhookId: string
  secret: string
  deliveryId: string
  url: string
  payload: string
  attempt: number
  event: string
}) => Promise<{ delivered: boolean; attempt: { error: string | null } }>

export interface CallbackOptions {
  readonly log: Log
  readonly secrets: CallbackSecrets
  readonly send: SendCallback
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
