// Retry and polling intervals, and time limits.
import { setTimeout as sleep } from 'node:timers/promises'

export interface Pace {
  readonly firstMs: number
  /** Upper bound of the growing delays. */
  readonly mostMs: number
  /** A server's Retry-After is honoured up to this. */
  readonly mostRetryAfterMs: number
  /** Retries per request. */
  readonly mostAgain: number
  /** Time limit for audio of this length, from the first byte sent to the last byte received. */
  patienceMs(seconds: number): number
}

/** Short recordings finish within a second; for long ones seconds do not matter. Rides out half a minute of trouble. */
export const unhurried: Pace = {
  firstMs: 500,
  mostMs: 5_000,
  mostRetryAfterMs: 60_000,
  mostAgain: 8,
  // A slow server takes minutes for a short recording, and transcribes long ones at twice real time.
  patienceMs: (seconds) => 15 * 60_000 + (seconds * 1000) / 2,
}

export const growingMs = (nth: number, { firstMs, mostMs }: Pace): number =>
  Math.min(mostMs, firstMs * 1.5 ** (nth - 1))

/** Rejects with the signal's reason as soon as it aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
