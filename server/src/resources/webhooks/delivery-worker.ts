// Delivers events to their endpoints: in up to three attempts, each endpoint in a lane of its own.

import { timeOfId } from '../../platform/ids.ts'
import type { Job, JobRow } from '../../platform/jobs/job.ts'
import type { Vault } from '../../platform/secrets.ts'
import { type ClaimedDelivery, type DeliveryResult, deliveriesTable, settleDeliveries } from './backlog.ts'
import type { Send } from './send.ts'
import { secretReader } from './webhooks.ts'

export interface DeliveryOptions {
  readonly vault: Vault
  readonly send: Send
  readonly backoffMs: number
  readonly onAttempt?: (delivered: boolean, latencyMs: number, payload: string) => void
  /** How long after its event became due it was sent for the first time. */
  readonly onFirstSent?: (delayMs: number, payload: string) => void
}

// As specified: one attempt and two retries. A legacy address gets one attempt.
const mostAttempts = 3
// Spreads retries of deliveries that failed together. It only delays, and stays well below the allowed half second of
// lateness.
const jitterMs = 100

const caps = {
  // Each takes a socket and a few kilobytes, and a slow one lasts ten seconds.
  process: 1_024,
  // Per endpoint: enough to be sending while the next ones are published, too few to crowd out others.
  lane: 128,
  worthClaiming: 16,
  // At five thousand a second, fifty end in this time; a claim of fifty costs little more than one of five.
  gatherMs: 10,
  // Well below the allowed half second of lateness.
  lookMs: 50,
}

export function deliveryJob(options: DeliveryOptions): Job<ClaimedDelivery, DeliveryResult> {
  const readSecret = secretReader(options.vault)
  // Counted from the end of the attempt.
  const againAtMs = (attempts: number) =>
    performance.now() + options.backoffMs * 2 ** (attempts - 1) + Math.random() * jitterMs

  return {
    name: 'deliveries',
    table: deliveriesTable,
    caps,
    // The same delay as after a failed first attempt.
    faultDelayMs: options.backoffMs,
    settle: settleDeliveries,
    outcomeOf: ({ status }) => status,

    async run(delivery) {
      const { job_id: deliveryId, webhook_id: webhookId, agent_id: agentId, payload, made } = delivery
      const result = (status: DeliveryResult['status'], attempts: DeliveryResult['attempts']) =>
        ({ webhookId, agentId, status, attempts, againAtMs: againAtMs(made + 1) }) as const
      const address = addressOf(delivery, readSecret)
      if (!address) return result('cancelled', [])
      if (made === 0) options.onFirstSent?.(Date.now() - timeOfId(deliveryId), payload)
      const { delivered, attempt } = await options.send({
        ...address,
        deliveryId,
        payload,
        attempt: made + 1,
      })
      options.onAttempt?.(delivered, attempt.latency_ms, payload)
      const isLast = made + 1 >= (webhookId === null ? 1 : mostAttempts)
      return result(delivered ? 'delivered' : isLast ? 'failed' : 'queued', [attempt])
    },
  }
}

/** Undefined if the endpoint was deleted or disabled. */
function addressOf(
  { webhook_id, legacy_url, url, secret, endpoint_status }: ClaimedDelivery & JobRow,
  readSecret: (webhookId: string, sealed: Buffer) => string,
) {
  if (webhook_id === null)
    return legacy_url ? { webhookId: undefined, secret: undefined, url: legacy_url } : undefined
  if (url === null || secret === null || endpoint_status !== 'active') return undefined
  return { webhookId: webhook_id, secret: readSecret(webhook_id, secret), url }
}
