import { expect, it } from 'vitest'
import { type PeriodWish, readPeriod } from './usage-period.ts'

const now = Date.parse('2026-11-16T10:07:00Z')
const read = (wish: Partial<PeriodWish>) => {
  const reading = readPeriod({ timezone: 'UTC', ...wish }, now)
  if (reading.is === 'refused') return reading.path
  const { from, to, days } = reading.period
  return { from: from.toISOString(), to: to.toISOString(), days: days.map(({ day }) => day) }
}

it('is the last thirty days until now if nothing is asked', () => {
  const period = read({})
  expect(period).toMatchObject({ from: '2026-10-18T00:00:00.000Z', to: '2026-11-16T10:15:00.000Z' })
  expect((period as { days: string[] }).days).toHaveLength(30)
})

it('counts both days that are named, in their time zone', () => {
  expect(read({ from: '2026-01-30', to: '2026-01-31', timezone: 'Asia/Kathmandu' })).toEqual({
    from: '2026-01-29T18:15:00.000Z',
    to: '2026-01-31T18:15:00.000Z',
    days: ['2026-01-30', '2026-01-31'],
  })
})

it('knows days of 23 and 25 hours', () => {
  const spring = read({ from: '2026-03-29', to: '2026-03-29', timezone: 'Europe/Paris' })
  expect(spring).toMatchObject({ from: '2026-03-28T23:00:00.000Z', to: '2026-03-29T22:00:00.000Z' })
  const autumn = read({ from: '2026-10-25', to: '2026-10-25', timezone: 'Europe/Paris' })
  expect(autumn).toMatchObject({ from: '2026-10-24T22:00:00.000Z', to: '2026-10-25T23:00:00.000Z' })
})

it('begins a day without a midnight with the hour after it', () => {
  // In Beirut clocks go from 0:00 to 1:00.
  expect(read({ from: '2026-03-29', to: '2026-03-29', timezone: 'Asia/Beirut' })).toEqual({
    from: '2026-03-28T22:00:00.000Z',
    to: '2026-03-29T21:00:00.000Z',
    days: ['2026-03-29'],
  })
})

it('widens times to full quarters of an hour', () => {
  const wish = { from: '2026-01-31T09:07:30Z', to: '2026-01-31T12:00:01+01:00' }
  expect(read(wish)).toEqual({
    from: '2026-01-31T09:00:00.000Z',
    to: '2026-01-31T11:15:00.000Z',
    days: ['2026-01-31'],
  })
})

it.each([
  [{ from: '2026-01-31', to: '2026-01-30' }, 'to'],
  [{ from: '2026-12-01' }, 'to'],
  [{ from: '2025-11-15', to: '2026-11-16' }, 'from'],
  [{ from: '0001-01-01' }, 'from'],
  [{ from: '9999-12-31', to: '9999-12-31' }, 'from'],
  [{ to: '9999-12-31T23:59:59Z' }, 'to'],
])('%o is refused by its field', (wish, path) => {
  expect(read(wish)).toBe(path)
})

it('may be a whole leap year', () => {
  expect(read({ from: '2024-01-01', to: '2024-12-31' })).toMatchObject({ from: '2024-01-01T00:00:00.000Z' })
})
