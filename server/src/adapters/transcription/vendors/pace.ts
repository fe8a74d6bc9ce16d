// How often a server is asked again, and how long in between.
import { setTimeout as sleep } from 'node:timers/promises'

export interface Pace {
  readonly firstMs: number
  /** Waits grow up to this. */
  readonly mostMs: number
  /** What a server asks for itself is granted up to this. */
  readonly mostRetryAfterMs: number
  /** How often one request is made again before it has failed. */
  readonly mostAgain: number
  /** How long a sound of this length may take, from the first byte sent to the last one read. */
  patienceMs(seconds: number): number
}

/** Short recordings are done within a second; for long ones seconds do not matter. Half a minute of trouble is survived. */
export const unhurried: Pace = {
  firstMs: 500,
  mostMs: 5_000,
  mostRetryAfterMs: 60_000,
  mostAgain: 8,
  // A slow server takes minutes for a short sound, and hears long ones at twice the pace of speech.
  patienceMs: (seconds) => 15 * 60_000 + (seconds * 1000) / 2,
}

export const growingMs = (nth: number, { firstMs, mostMs }: Pace): number =>
  Math.min(mostMs, firstMs * 1.5 ** (nth - 1))

/** Rejects with the reason of the signal as soon as it aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
