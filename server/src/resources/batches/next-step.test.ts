import { type CallingWindow, weekdays } from '@parley/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunningBatch } from './feed-store.ts'
import { isCarrierBroken, isOpen, nextStepOf, openZones, queueShares } from './next-step.ts'

const noon = Date.UTC(2026, 0, 5, 12)
const batch = (more: Partial<RunningBatch> = {}): RunningBatch => ({
  batch_id: 'b',
  workspace_id: 'w',
  agent_active: true,
  max_concurrency: null,
  calling_window: null,
  zones: [''],
  fresh: true,
  waiting: false,
  due: false,
  open: 0,
  queued: 0,
  held: 0,
  trunk_tries: 0,
  ...more,
})
const hours = (start_time: string, end_time: string) => ({
  timezone: 'UTC',
  days: [...weekdays],
  start_time,
  end_time,
})

/** No other batches. */
const alone = (most: number) => ({ most, mostQueued: most })

describe('a running batch', () => {
  it('is fed while it may have more calls, and never beyond either limit', () => {
    fc.assert(
      fc.property(
        fc.option(fc.integer({ min: 1, max: 50 })),
        fc.integer({ min: 1, max: 50 }),
        fc.nat({ max: 60 }),
        (max_concurrency, most, open) => {
          const turn = nextStepOf(batch({ max_concurrency, open }), alone(most), noon)
          const room = Math.min(max_concurrency ?? most, most) - open
          if (room <= 0) expect(turn).toEqual({ do: 'rest' })
          else expect(turn).toMatchObject({ do: 'serve', room })
        },
      ),
    )
  })

  it('waits while recipients wait for a retry, and finishes when none do', () => {
    expect(nextStepOf(batch({ fresh: false, waiting: true }), alone(5), noon)).toEqual({ do: 'rest' })
    expect(nextStepOf(batch({ fresh: false, waiting: true, due: true }), alone(5), noon)).toMatchObject({
      room: 5,
    })
    expect(nextStepOf(batch({ fresh: false, open: 1 }), alone(5), noon)).toEqual({ do: 'rest' })
    expect(nextStepOf(batch({ fresh: false }), alone(5), noon)).toEqual({ do: 'finish' })
  })

  it('waits outside its hours or without its agent, and then holds back queued calls', () => {
    const closed = { calling_window: hours('13:00', '14:00') }
    expect(nextStepOf(batch(closed), alone(5), noon)).toEqual({ do: 'rest' })
    expect(nextStepOf(batch({ ...closed, open: 2, queued: 2 }), alone(5), noon)).toEqual({
      do: 'serve',
      zones: [],
      room: 0,
      retime: true,
      release: 0,
    })
    const nobody = batch({ agent_active: false, open: 2, queued: 2 })
    expect(nextStepOf(nobody, alone(5), noon)).toMatchObject({ zones: [], room: 0, retime: true })
    const open = { calling_window: hours('11:00', '13:00'), open: 5, held: 2 }
    expect(nextStepOf(batch(open), alone(5), noon)).toMatchObject({ do: 'serve', room: 0, retime: true })
  })
})

describe('batches that take turns', () => {
  const rivals = (count: number, more: Partial<RunningBatch> = {}) =>
    Array.from({ length: count }, () => batch(more))

  it('together queue as much as can be claimed, and hardly more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 500 }), (count, most) => {
        const share = queueShares(rivals(count), most, noon).get('w') ?? 0
        expect(share * count).toBeGreaterThanOrEqual(most)
        expect(share * count).toBeLessThan(most + count)
      }),
    )
  })

  it('do not share with idle batches or with another workspace', () => {
    const resting = [
      ...rivals(3, { calling_window: hours('13:00', '14:00') }),
      ...rivals(3, { fresh: false, waiting: true }),
      ...rivals(3, { agent_active: false }),
    ]
    const elsewhere = rivals(4, { workspace_id: 'v' })
    const shares = queueShares([...rivals(2), ...resting, ...elsewhere], 100, noon)
    expect([shares.get('w'), shares.get('v')]).toEqual([50, 25])
  })

  it('queue no more than their share', () => {
    const allowance = { most: 100, mostQueued: 20 }
    expect(nextStepOf(batch({ open: 30, queued: 15 }), allowance, noon)).toMatchObject({ room: 5 })
    expect(nextStepOf(batch({ open: 30, queued: 25 }), allowance, noon)).toEqual({ do: 'rest' })
  })
})

it.each([
  [19, 19, false],
  [20, 9, false],
  [20, 10, true],
  [40, 19, false],
  [40, 20, true],
])('of %i dials %i failed at the carrier: broken is %s', (dials, failed, broken) => {
  const dial = { place: 1, dialled_at: new Date(noon), finished: true, silent: false, after_pause: true }
  const ended = Array.from({ length: dials }, (_, nth) => ({ ...dial, failed: nth < failed }))
  // Neither calls that still ring nor those of a silent trunk count.
  const others = Array.from({ length: 15 }, (_, nth) => ({
    ...dial,
    finished: nth < 9,
    failed: nth < 9,
    silent: nth < 9,
  }))
  expect(isCarrierBroken([...others, ...ended])).toBe(broken)
})

describe('a batch that tries its trunk again', () => {
  const trying = (more: Partial<RunningBatch> = {}) =>
    nextStepOf(batch({ trunk_tries: 2, ...more }), alone(30), noon)

  it('creates one call', () => expect(trying()).toMatchObject({ do: 'serve', room: 1 }))
  it('releases one of the calls that it has held back', () =>
    expect(trying({ open: 12, held: 12 })).toMatchObject({ retime: true, release: 1 }))
  it('watches that one, and neither creates nor releases another', () =>
    expect(trying({ open: 12, held: 11 })).toMatchObject({ do: 'serve', room: 0, retime: false, release: 0 }))
  it('waits outside its hours', () =>
    expect(trying({ calling_window: hours('13:00', '14:00') })).toEqual({ do: 'rest' }))
  it('releases all of them when the trunk answers', () =>
    expect(trying({ trunk_tries: 0, open: 12, held: 12 })).toMatchObject({ retime: true, release: 12 }))
})

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
