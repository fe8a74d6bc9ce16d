// The timers of RFC 3261 (§17, table 4), and the clock that they are given.

/** Calls back once; returns what cancels it. */
export type After = (ms: number, act: () => void) => () => void

/** An estimate of the round-trip time, from which every other timer follows. */
export const t1 = 500
/** The longest interval between retransmissions of requests other than INVITE, and of answers to INVITE. */
export const t2 = 4_000
/** How long a message may stay in the network. */
export const t4 = 5_000
/** Timers B, F, H, J, L and M: how long a final answer or an ACK is waited for. */
export const giveUpAfter = 64 * t1
/** A server that is silent for so long is given up for the next one (telephony practice, RFC 3263 §4.3). */
export const firstWordMs = 4_000
/** Timer D: how long answers to an INVITE may still be repeated over UDP. */
export const timerD = 32_000

/** How long until the next repetition, from the interval before. */
export type NextInterval = (intervalMs: number) => number

export const doubled: NextInterval = (intervalMs) => intervalMs * 2
export const doubledToT2: NextInterval = (intervalMs) => Math.min(intervalMs * 2, t2)

/** Repeats `act` after 500 ms, then at intervals that `next` makes from the one before, until cancelled. */
export function repeat(after: After, act: () => void, next: NextInterval): () => void {
  let cancel = () => {}
  const schedule = (intervalMs: number) => {
    cancel = after(intervalMs, () => {
      schedule(next(intervalMs))
      act()
    })
  }
  schedule(t1)
  return () => cancel()
}

/** Repeats `act` for 32 s, then calls `onTimeout`. Returns how to stop. */
export function repeatUntilTimeout(
  after: After,
  act: () => void,
  next: NextInterval,
  onTimeout: () => void,
): () => void {
  const stopRepeating = repeat(after, act, next)
  const stopWaiting = after(giveUpAfter, () => {
    stopRepeating()
    onTimeout()
  })
  return () => {
    stopRepeating()
    stopWaiting()
  }
}
