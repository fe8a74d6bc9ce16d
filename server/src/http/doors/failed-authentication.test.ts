// Failed authentications: counted per address and minute, in bounded memory.
import { expect, it } from 'vitest'
import { Failure } from '../failure.ts'
import { FailedAuthentications } from './failed-authentication.ts'

const unknown = new Failure('API_KEY_INVALID')

function counted(perMinute: number) {
  const clock = { nowMs: 0 }
  const statuses: number[] = []
  const counter = { countFailedAuthentication: (status: number) => void statuses.push(status) }
  return { clock, statuses, failed: new FailedAuthentications(perMinute, counter, () => clock.nowMs) }
}

it('are refused beyond the limit until the minute is over', () => {
  const { clock, statuses, failed } = counted(2)
  const attempt = () => failed.limit(unknown, '192.0.2.1')
  expect([attempt().status, attempt().status, attempt().status]).toEqual([401, 401, 429])
  clock.nowMs = 45_500
  expect(attempt().headers).toEqual({ 'retry-after': '15' })
  clock.nowMs = 60_000
  expect(attempt()).toBe(unknown)
  expect(statuses).toEqual([401, 401, 429, 429, 401])
})

it('are counted for each address alone, and other failures not at all', () => {
  const { statuses, failed } = counted(1)
  failed.limit(unknown, '192.0.2.1')
  expect(failed.limit(unknown, '192.0.2.2')).toBe(unknown)
  const missing = new Failure('AGENT_NOT_FOUND')
  expect(failed.limit(missing, '192.0.2.1')).toBe(missing)
  expect(statuses).toEqual([401, 401])
})

it('from ever more addresses do not fill the memory', () => {
  const { failed } = counted(1)
  for (let at = 0; at < 30_000; at++) failed.limit(unknown, `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)
  expect(failed.addresses).toBeLessThanOrEqual(10_000)
  // The last ones are remembered.
  expect(failed.limit(unknown, '10.0.117.47').status).toBe(429)
})
