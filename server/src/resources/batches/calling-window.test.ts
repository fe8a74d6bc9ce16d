// Calling windows, checked against local time as the system formats it.
import { type CallingWindow, weekdays } from '@parley/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOpen, openZones } from './calling-window.ts'

const minuteMs = 60_000

// Zones that change their clocks at 01:00 UTC, at 02:00 local time, by half an hour, on a Friday, on the southern
// hemisphere, never.
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/Santiago',
  'Asia/Kolkata',
  'Pacific/Chatham',
  'UTC',
]

const walls = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
  ]),
)

/** Local time by a formatter that shares no code with the implementation. */
function wallAt(zone: string, atMs: number) {
  const told = walls.get(zone)?.formatToParts(atMs) ?? []
  const parts = Object.fromEntries(told.map(({ type, value }) => [type, value]))
  return { day: String(parts.weekday).toLowerCase(), time: `${parts.hour}:${parts.minute}` }
}

const before = (day: string) =>
  weekdays[(weekdays.indexOf(day as (typeof weekdays)[number]) + 6) % 7] as (typeof weekdays)[number]

/** The rule in its simplest form. */
function expected({ days, start_time, end_time }: CallingWindow, zone: string, atMs: number): boolean {
  const { day, time } = wallAt(zone, atMs)
  const on = (name: string) => (days as readonly string[]).includes(name)
  if (start_time < end_time) return on(day) && time >= start_time && time < end_time
  return (on(day) && time >= start_time) || (on(before(day)) && time < end_time)
}

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
const windows = fc
  .record({
    timezone: fc.constantFrom(...zones),
    days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
    start_time: time,
    end_time: fc.oneof(time, fc.constant('24:00')),
  })
  .filter(({ start_time, end_time }) => start_time !== end_time)

/** The clock changes of 2026 in this zone, found from local time alone. */
function changesOf(zone: string): number[] {
  const found: number[] = []
  const wallMinutes = (atMs: number) => {
    const [hours = 0, minutes = 0] = wallAt(zone, atMs).time.split(':').map(Number)
    return hours * 60 + minutes
  }
  const stepMs = 30 * minuteMs
  for (let atMs = Date.UTC(2026, 0, 1); atMs < Date.UTC(2027, 0, 1); atMs += stepMs) {
    const passed = (wallMinutes(atMs + stepMs) - wallMinutes(atMs) + 1440) % 1440
    if (passed !== 30) found.push(atMs + stepMs)
  }
  return found
}

describe('a calling window', () => {
  it('is open exactly when local time says so', () => {
    fc.assert(
      fc.property(
        windows,
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) }),
        (window, zone, atMs) => isOpen(window, zone, atMs) === expected(window, zone, atMs),
      ),
      { numRuns: 2_000 },
    )
  })

  it.each(zones)('is correct in every minute around the clock changes in %s', (zone) => {
    const changes = changesOf(zone)
    if (!['Asia/Kolkata', 'UTC'].includes(zone)) expect(changes.length).toBeGreaterThanOrEqual(2)
    fc.assert(
      fc.property(windows, (window) => {
        for (const change of changes) {
          for (let minute = -150; minute <= 150; minute += 10) {
            const atMs = change + minute * minuteMs
            if (isOpen(window, zone, atMs) !== expected(window, zone, atMs)) return false
          }
        }
        return true
      }),
      { numRuns: 6 },
    )
  })

  it('that begins in a skipped hour opens after it', () => {
    const window = { timezone: 'UTC', days: [...weekdays], start_time: '02:30', end_time: '04:00' }
    // 29 March 2026: 01:59 in Berlin is followed by 03:00.
    const change = Date.UTC(2026, 2, 29, 1, 0)
    expect(isOpen(window, 'Europe/Berlin', change - minuteMs)).toBe(false)
    expect(isOpen(window, 'Europe/Berlin', change)).toBe(true)
  })

  it('is open in both instances of a repeated hour', () => {
    const window = { timezone: 'UTC', days: [...weekdays], start_time: '02:15', end_time: '02:45' }
    // 25 October 2026: 02:59 in Berlin is followed by 02:00.
    const change = Date.UTC(2026, 9, 25, 1, 0)
    const open = [-60, -45, -16, -15, 0, 15, 44, 45].filter((minute) =>
      isOpen(window, 'Europe/Berlin', change + minute * minuteMs),
    )
    expect(open).toEqual([-45, -16, 15, 44])
  })
})

describe('the open zones of a batch', () => {
  const nine = { timezone: 'Asia/Tokyo', days: [...weekdays], start_time: '09:00', end_time: '17:00' }
  const atMs = Date.UTC(2026, 5, 1, 1, 0)

  it('are those where the window is open; recipients without a zone use the window’s', () => {
    expect(openZones(nine, ['', 'Europe/Paris', 'Asia/Seoul'], atMs)).toEqual(['', 'Asia/Seoul'])
    expect(openZones({ ...nine, timezone: 'Europe/Paris' }, ['', 'Asia/Seoul'], atMs)).toEqual(['Asia/Seoul'])
  })

  it('are all zones without a window', () => {
    expect(openZones(null, ['', 'Europe/Paris'], atMs)).toEqual(['', 'Europe/Paris'])
  })
})
