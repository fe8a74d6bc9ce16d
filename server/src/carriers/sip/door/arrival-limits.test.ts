// Strangers and floods at the door.
import { expect, it } from 'vitest'
import { AddressList } from '../trunk/address-list.ts'
import { ArrivalLimits } from './arrival-limits.ts'

function openLimits() {
  const clock = { nowMs: 0 }
  const [lines, counted]: [object[], string[]] = [[], []]
  const log = { warn: (fields: object) => void lines.push(fields) }
  const limits = new ArrivalLimits({
    log: log as never,
    count: (reason) => void counted.push(reason),
    nowMs: () => clock.nowMs,
  })
  return { clock, lines, counted, limits }
}

it('counts every stranger and logs one line a minute', () => {
  const { clock, lines, counted, limits } = openLimits()
  for (let count = 0; count < 1_000; count++) limits.turnAway('stranger')
  expect([counted.length, lines]).toEqual([1_000, [{ requests: 1, last_reason: 'stranger' }]])
  clock.nowMs = 60_000
  limits.turnAway('stranger')
  expect(lines[1]).toMatchObject({ requests: 1_000 })
})

it('takes 600 calls at once from one address and 300 a second after that', () => {
  const { clock, limits } = openLimits()
  const taken = () => Array.from({ length: 1_000 }, () => limits.mayCall('192.0.2.1')).filter(Boolean).length
  expect(taken()).toBe(600)
  expect(limits.mayCall('192.0.2.2')).toBe(true)
  clock.nowMs = 1_000
  expect(taken()).toBe(300)
})

it('knows addresses and networks of both families, and nothing from what is no address', () => {
  const list = new AddressList(['192.0.2.0/24', '198.51.100.7', '2001:db8::/32', 'nonsense', '1.2.3.4/99'])
  const asked = ['192.0.2.200', '198.51.100.7', '198.51.100.8', '2001:db8::5', '2001:db9::5', '1.2.3.4']
  expect(asked.filter((address) => list.has(address))).toEqual(['192.0.2.200', '198.51.100.7', '2001:db8::5'])
})
