// How long to wait before a retry.
import { expect, it } from 'vitest'
import { RecordingRequestError, unhurried, waitMs } from './wire.ts'

it.each([
  ['grows', 0, [500, 750, 1125]],
  ['follows Retry-After', 3_000, [3_000, 3_000, 3_000]],
  ['is at most a minute', 3_600_000, [60_000, 60_000, 60_000]],
])('the delay %s', (_how, retryAfterMs, waits) => {
  const error = new RecordingRequestError('Too fast.', { status: 429, retryAfterMs })
  expect([1, 2, 3].map((tries) => waitMs(error, tries, unhurried))).toEqual(waits)
})

it('the delay without Retry-After is at most five seconds', () => {
  expect(waitMs(new RecordingRequestError('Away.', {}), 20, unhurried)).toBe(5_000)
})
