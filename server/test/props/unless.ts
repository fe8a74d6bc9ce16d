// Tests that need something this machine may lack. Where it does, they are skipped under a name that carries the reason,
// which the gate of a CI run looks for.
import { describe, it } from 'vitest'

const named = (name: string, absent: string | undefined) => (absent ? `${name} [skipped: ${absent}]` : name)

/** `absent` says what is missing; undefined where nothing is. */
export const describeUnless = (absent: string | undefined, name: string, tests: () => void): void =>
  void describe.skipIf(absent)(named(name, absent), tests)

export const itUnless = (
  absent: string | undefined,
  name: string,
  test: () => void | Promise<void>,
  timeoutMs?: number,
): void => it.skipIf(absent)(named(name, absent), test, timeoutMs)
