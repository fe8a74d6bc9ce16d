// Waits for a condition outside of a test, where `expect.poll` is not at hand.
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 50
// Longer than anything takes on the busiest machine.
const mostMs = 150_000

/** Returns the first value that is there. `what` says what was waited for, when it does not come. */
export async function waitUntil<Value>(
  look: () => Value | undefined | Promise<Value | undefined>,
  what: () => string,
): Promise<Value> {
  for (const startedMs = performance.now(); performance.now() - startedMs < mostMs; await sleep(pollMs)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error(`It did not happen: ${what()}`)
}
