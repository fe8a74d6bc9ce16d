// Tests that need something this machine may lack. If it does, they are skipped under a name that contains the reason,
// which the skip gate checks in a CI run.
import { describe, it } from 'vitest'

const named = (name: string, absent: string | undefined) => (absent ? `${name} [skipped: ${absent}]` : name)

/** `absent` says what is missing; undefined if nothing is. */
export const describeUnless = (absent: string | undefined, name: string, tests: () => void): void =>
  void describe.skipIf(absent)(named(name, absent), tests)

export const itUnless = (
  absent: string | undefined,
  name: string,
  test: () => void | Promise<void>,
  timeoutMs?: number,
): void => it.skipIf(absent)(named(name, absent), test, timeoutMs)

/** Beside the other concurrent tests of its group. */
export const concurrentUnless = (
  absent: string | undefined,
  name: string,
  test: () => void | Promise<void>,
): void => (absent ? it.skip : it.concurrent)(named(name, absent), test)
