// A condition is waited for as long as `expect.poll` waits, not for the single second of vi.waitFor: a busy machine makes a
// test slower and never red.
import { vi } from 'vitest'

const timeout = 150_000
const { waitFor } = vi

vi.waitFor = (condition, options) =>
  waitFor(condition, typeof options === 'number' ? options : { timeout, ...options })
