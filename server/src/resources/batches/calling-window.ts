// When a recipient may be called: between two times of day, on certain weekdays, in their own time zone.
import { type CallingWindow, weekdays } from '@parley/contract'
import { offsetMinutes } from '../../platform/clock/time-zone.ts'

const minuteMs = 60_000
const dayMinutes = 24 * 60

/** Whether a call may start now in this zone, by local time, including on days when the clocks change. */
export function isOpen(window: CallingWindow, zone: string, atMs: number): boolean {
  return opensAtWall(window, atMs + offsetMinutes(zone, atMs) * minuteMs)
}

/** `wallMs`: local time, as if it were UTC. */
function opensAtWall({ days, start_time, end_time }: CallingWindow, wallMs: number): boolean {
  const minute = Math.floor(wallMs / minuteMs) % dayMinutes
  const day = Math.floor(wallMs / minuteMs / dayMinutes)
  const [start, end] = [minutesOf(start_time), minutesOf(end_time)]
  if (start < end) return minute >= start && minute < end && isDay(days, day)
  // Across midnight the evening belongs to its own day, the morning to the day before.
  return (minute >= start && isDay(days, day)) || (minute < end && isDay(days, day - 1))
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

// 1 January 1970 was a Thursday.
const firstWeekday = weekdays.indexOf('thursday')

const isDay = (days: CallingWindow['days'], day: number): boolean =>
  days.includes(weekdays[(day + firstWeekday) % weekdays.length] as (typeof weekdays)[number])

/** The zones where the window is open now. `''` stands for the window's own zone; without a window all are open. */
export const openZones = (window: CallingWindow | null, zones: readonly string[], nowMs: number): string[] =>
  zones.filter((zone) => window === null || isOpen(window, zone === '' ? window.timezone : zone, nowMs))
