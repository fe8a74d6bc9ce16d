// Carries deliveries to their endpoints: takes what is due, sends it, writes down what came of it.
//
// One loop takes, another writes down, any number of attempts are under way between them. Each loop works on whatever
// has gathered while it waited for the database, so that the faster it goes, the fewer statements a delivery costs.
import type { Claimant } from '../../platform/db/claim.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../platform/loop.ts'
import type { Vault } from '../../platform/secrets.ts'
import {
  type Claimed,
  claimDue,
  recoverLost,
  type Settlement,
  settleAll,
  untilNextDelivery,
} from './backlog.ts'
import type { Send } from './send.ts'
import { secretReader } from './webhooks.ts'

export interface DeliveryWorkerOptions {
  db: Db
  vault: Vault
  log: Log
  claimant: Claimant
  send: Send
  backoffMs: number
  onAttempt?: (delivered: boolean, latencyMs: number) => void
}

// The specification's three: the first and two retries. A legacy address gets one.
const mostAttempts = 3
// Attempts of one process at a time. Each is a socket and a few kilobytes, and a slow one lasts ten seconds.
const mostUnderWay = 512
// Of these, for one endpoint, over all processes: enough for two thousand a second at 30 ms, too few to crowd out others.
const mostPerLane = 64
// Below this it is cheaper to wait for more room than to ask the database for so little.
const worthAsking = 16
// When nothing is known to be due: how often to look for lost claims, and for work that a missed notice hid.
const idleMs = 1_000
// While attempts are under way, looking is cheaper than asking when the next one falls due.
const busyMs = 50
// Spreads retries that failed together. Only ever adds, and stays well below the half second of punctuality.
const jitterMs = 100
// After a failure of the database, before the next try.
const brokenMs = 250

export class DeliveryWorker {
  private readonly options: DeliveryWorkerOptions
  private readonly underWay = new Map<string, Promise<void>>()
  /** Outcomes to be written down, and those that are being written. */
  private settled: Settlement[] = []
  private writing: Settlement[] = []
  private lastLane = '00000000-0000-0000-0000-000000000000'
  private lastRecoveryMs = Number.NEGATIVE_INFINITY
  private readonly readSecret: (webhookId: string, sealed: Buffer) => string
  private readonly taker: Loop
  private readonly writer: Loop

  constructor(options: DeliveryWorkerOptions) {
    this.options = options
    this.readSecret = secretReader(options.vault)
    const afterError = (err: unknown) => {
      options.log.warn({ err }, 'deliveries wait for the database')
      return brokenMs
    }
    this.taker = startLoop(() => this.takeTurn(), afterError)
    this.writer = startLoop(() => this.writeDown(), afterError)
  }

  /** There may be something due. */
  wake = (): void => this.taker.wake()

  /** Takes nothing new; what is under way is finished and written down. */
  async stop(): Promise<void> {
    await this.taker.stop()
    await Promise.all(this.underWay.values())
    await this.writer.stop()
    await this.writeDown().catch((err) =>
      this.options.log.warn({ err }, 'delivery outcomes not written down'),
    )
  }

  private async takeTurn(): Promise<number> {
    await this.recover()
    if (await this.take()) return 0
    if (this.underWay.size > 0) return busyMs
    return Math.min(idleMs, Math.max(0, (await untilNextDelivery(this.options.db)) ?? idleMs))
  }

  /** True when more may be waiting and there is room for it. */
  private async take(): Promise<boolean> {
    const { claimant, db } = this.options
    const room = mostUnderWay - this.underWay.size
    if (!claimant.alive || room < worthAsking) return false
    const claimantId = claimant.id
    const claimed = await claimDue(db, { claimantId, after: this.lastLane, most: room, mostPerLane })
    for (const delivery of claimed) this.launch(delivery, claimantId)
    this.lastLane = claimed.at(-1)?.lane ?? this.lastLane
    return claimed.length === room
  }

  private launch(delivery: Claimed, claimantId: number): void {
    const attempt = this.attempt(delivery, claimantId).finally(() => {
      this.underWay.delete(delivery.delivery_id)
      this.writer.wake()
    })
    this.underWay.set(delivery.delivery_id, attempt)
  }

  private async attempt(delivery: Claimed, claimantId: number): Promise<void> {
    const { delivery_id: deliveryId, webhook_id: webhookId, agent_id: agentId, made } = delivery
    const settle = (status: Settlement['status'], attempts: Settlement['attempts'] = []) =>
      this.settled.push({
        deliveryId,
        claimantId,
        webhookId,
        agentId,
        status,
        attempts,
        againAtMs: performance.now() + this.delayAfter(made + 1),
      })

    const address = this.addressOf(delivery)
    if (!address) return void settle('cancelled')
    try {
      const { payload } = delivery
      const { delivered, attempt } = await this.options.send({
        ...address,
        deliveryId,
        payload,
        attempt: made + 1,
      })
      this.options.onAttempt?.(delivered, attempt.latency_ms)
      const last = made + 1 >= (webhookId === null ? 1 : mostAttempts)
      settle(delivered ? 'delivered' : last ? 'failed' : 'queued', [attempt])
    } catch (err) {
      // A fault of ours, not of the receiver: it costs the delivery no attempt, only time.
      this.options.log.error({ err, delivery_id: deliveryId }, 'delivery could not be attempted')
      settle('queued')
    }
  }

  /** Undefined when the endpoint is gone or disabled. */
  private addressOf({ webhook_id, legacy_url, url, secret, endpoint_status }: Claimed) {
    if (webhook_id === null)
      return legacy_url ? { webhookId: undefined, secret: undefined, url: legacy_url } : undefined
    if (url === null || secret === null || endpoint_status !== 'active') return undefined
    return { webhookId: webhook_id, secret: this.readSecret(webhook_id, secret), url }
  }

  private delayAfter(attempts: number): number {
    return this.options.backoffMs * 2 ** (attempts - 1) + Math.random() * jitterMs
  }

  private async writeDown(): Promise<number> {
    if (this.settled.length === 0) return idleMs
    this.writing = this.settled
    this.settled = []
    try {
      await settleAll(this.options.db, this.writing)
    } catch (error) {
      // Kept for when the database is back; whoever still holds the claim is believed.
      this.settled.unshift(...this.writing)
      throw error
    } finally {
      this.writing = []
    }
    this.taker.wake()
    return 0
  }

  private async recover(): Promise<void> {
    const now = performance.now()
    if (now - this.lastRecoveryMs < idleMs) return
    this.lastRecoveryMs = now
    const outcomes = [...this.settled, ...this.writing].map(({ deliveryId }) => deliveryId)
    const known = [...this.underWay.keys(), ...outcomes]
    await recoverLost(this.options.db, this.options.claimant.id, known, mostPerLane)
  }
}
