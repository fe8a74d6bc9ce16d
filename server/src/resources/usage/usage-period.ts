// The time that usage is asked for: full quarters of an hour, and the days in it, in a time zone. Pure.
import { offsetMinutes } from '../../platform/clock/time-zone.ts'

export interface PeriodWish {
  /** A day such as 2026-01-31, or a time with an offset. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly timezone: string
}

export interface UsagePeriod {
  readonly from: Date
  /** Not counted any more. */
  readonly to: Date
  /** Oldest first. */
  readonly days: readonly UsageDay[]
}

export interface UsageDay {
  readonly day: string
  readonly begins: Date
}

export type PeriodReading =
  | { readonly is: 'period'; readonly period: UsagePeriod }
  /** `path`: the field at fault. */
  | { readonly is: 'refused'; readonly path: 'from' | 'to'; readonly message: string }

const quarterMs = 15 * 60_000
const dayMs = 24 * 60 * 60_000
const usualDays = 30
const mostDays = 366

export function readPeriod({ from, to, timezone }: PeriodWish, nowMs: number): PeriodReading {
  for (const [path, text] of [['from', from] as const, ['to', to] as const])
    if (text !== undefined && !isNear(text))
      return { is: 'refused', path, message: 'Must be between the years 1970 and 8999.' }
  const lastMs = to === undefined ? nowMs : isDay(to) ? startOf(nextDay(to), timezone) : Date.parse(to)
  const toMs = Math.ceil(lastMs / quarterMs) * quarterMs
  const usual = () => startOf(dayAt(toMs - 1 - (usualDays - 1) * dayMs, timezone), timezone)
  const firstMs = from === undefined ? usual() : isDay(from) ? startOf(from, timezone) : Date.parse(from)
  const fromMs = Math.floor(firstMs / quarterMs) * quarterMs
  if (fromMs >= toMs) return { is: 'refused', path: 'to', message: 'Must be after `from`.' }
  const days = daysBetween(fromMs, toMs, timezone)
  if (!days)
    return { is: 'refused', path: 'from', message: `Must be at most ${mostDays} days before \`to\`.` }
  return { is: 'period', period: { from: new Date(fromMs), to: new Date(toMs), days } }
}

/** In years that calendars agree on, with room for a day on both sides. */
const isNear = (text: string): boolean => text >= '1970-01-02' && text < '9000'

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

/** Undefined if there are too many. */
function daysBetween(fromMs: number, toMs: number, timezone: string): UsageDay[] | undefined {
  const days: UsageDay[] = []
  for (let day = dayAt(fromMs, timezone); ; day = nextDay(day)) {
    const beginsMs = startOf(day, timezone)
    if (beginsMs >= toMs) return days
    if (days.length === mostDays) return undefined
    days.push({ day, begins: new Date(Math.max(beginsMs, fromMs)) })
  }
}

const dayAt = (atMs: number, timezone: string): string =>
  new Date(atMs + offsetMinutes(timezone, atMs) * 60_000).toISOString().slice(0, 10)

const nextDay = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)

/** The first moment of a local day. Where clocks are put forward at midnight, the day begins with the hour after it. */
function startOf(day: string, timezone: string): number {
  const writtenMs = Date.parse(`${day}T00:00:00Z`)
  const offsets = [-dayMs, dayMs].map((aside) => offsetMinutes(timezone, writtenMs + aside) * 60_000)
  const candidates = offsets.map((offset) => writtenMs - offset).filter((at) => dayAt(at, timezone) === day)
  return candidates.length > 0 ? Math.min(...candidates) : writtenMs - Math.min(...offsets)
}
