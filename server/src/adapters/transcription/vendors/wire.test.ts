// How long a server is left in peace before it is asked again.
import { expect, it } from 'vitest'
import { unhurried } from './pace.ts'
import { Trouble, waitMs } from './wire.ts'

it.each([
  ['grows', 0, [500, 750, 1125]],
  ['is what the server asks for', 3_000, [3_000, 3_000, 3_000]],
  ['is at most a minute', 3_600_000, [60_000, 60_000, 60_000]],
])('the wait %s', (_how, retryAfterMs, waits) => {
  const trouble = new Trouble('Too fast.', { status: 429, retryAfterMs })
  expect([1, 2, 3].map((tries) => waitMs(trouble, tries, unhurried))).toEqual(waits)
})

it('the wait without a wish of the server is at most five seconds', () => {
  expect(waitMs(new Trouble('Away.', {}), 20, unhurried)).toBe(5_000)
})
