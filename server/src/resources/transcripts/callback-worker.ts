// Tells the addresses that asked for it that their transcript has ended: signed, through the guard, three attempts.
import type { Claimant } from '../../platform/db/claim.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../platform/loop.ts'
import type { CallbackSecrets } from './callback-secrets.ts'
import {
  type Callback,
  callbackAgain,
  callbackDone,
  claimCallbacks,
  recoverCallbacks,
  untilNextCallback,
} from './callback-store.ts'

/** One signed POST, as webhooks are sent. */
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
  readonly db: Db
  readonly log: Log
  readonly claimant: Claimant
  readonly secrets: CallbackSecrets
  readonly send: SendCallback
  readonly backoffMs: number
}

// As many as an event of a call gets.
const mostAttempts = 3
const mostUnderWay = 128
// Of these, for one receiver, over all processes: a slow one lasts ten seconds, and leaves room for the others.
const mostPerLane = 16
// How often to look for what a missed notice hid, or a dead process held.
const idleMs = 1_000
const brokenMs = 250

export interface Callbacks {
  wake(): void
  /** What is under way is finished. */
  stop(): Promise<void>
}

export function startCallbacks(options: CallbackOptions): Callbacks {
  const { db, log, claimant, backoffMs } = options
  const underWay = new Map<string, Promise<void>>()
  let lastLane = ''
  let lastRecoveryMs = Number.NEGATIVE_INFINITY

  const attempt = async (callback: Callback, claimantId: number) => {
    const made = callback.attempts + 1
    const error = await tell(options, callback, made)
    const { delivery_id: deliveryId, transcript_id } = callback
    if (error !== null && made < mostAttempts) {
      const delayMs = backoffMs * 2 ** (made - 1)
      await callbackAgain(db, deliveryId, claimantId, { attempts: made, delayMs })
    } else {
      if (error !== null) log.warn({ transcript_id, delivery_id: deliveryId, error }, 'callback given up')
      await callbackDone(db, deliveryId, claimantId)
    }
  }

  const launch = (callback: Callback, claimantId: number) => {
    const over = attempt(callback, claimantId)
      // Still claimed by us and known to nobody: taken back within a second, and tried again.
      .catch((err) => log.warn({ err }, 'callback could not be attempted'))
      .finally(() => {
        underWay.delete(callback.delivery_id)
        loop.wake()
      })
    underWay.set(callback.delivery_id, over)
  }

  const recover = async (claimantId: number) => {
    if (performance.now() - lastRecoveryMs < idleMs) return
    lastRecoveryMs = performance.now()
    await recoverCallbacks(db, claimantId, [...underWay.keys()], mostPerLane)
  }

  const loop: Loop = startLoop(
    async () => {
      if (!claimant.alive) return idleMs
      const claimantId = claimant.id
      await recover(claimantId)
      const most = mostUnderWay - underWay.size
      const claimed =
        most > 0 ? await claimCallbacks(db, { claimantId, after: lastLane, most, mostPerLane }) : []
      for (const callback of claimed) launch(callback, claimantId)
      lastLane = claimed.at(-1)?.lane ?? lastLane
      return Math.min(idleMs, Math.max(0, (await untilNextCallback(db)) ?? idleMs))
    },
    (err) => {
      log.warn({ err }, 'callbacks wait for the database')
      return brokenMs
    },
  )

  return {
    wake: loop.wake,
    async stop() {
      await loop.stop()
      await Promise.all(underWay.values())
    },
  }
}

/** Why not; null when it was received. */
async function tell(
  { secrets, send }: CallbackOptions,
  { delivery_id, transcript_id, workspace_id, url, payload }: Callback,
  attempt: number,
): Promise<string | null> {
  const { secret } = await secrets.read(workspace_id)
  const { type: event } = JSON.parse(payload) as { type: string }
  const parcel = { webhookId: transcript_id, secret, deliveryId: delivery_id, url, payload, attempt, event }
  return (await send(parcel)).attempt.error
}
