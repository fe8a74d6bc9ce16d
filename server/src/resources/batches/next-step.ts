// Decides what a running batch needs now. Pure.

import { type CallingWindow, weekdays } from '@parley/contract'
import { offsetMinutes } from '../../platform/clock/time-zone.ts'
import type { Dial, RunningBatch } from './feed-store.ts'

export type NextStep =
  | { readonly do: 'rest' }
  /** Every recipient is done and every call has ended. */
  | { readonly do: 'finish' }
  /** Calls to create, hold back or release, for these time zones. */
  | {
      readonly do: 'serve'
      readonly zones: readonly string[]
      readonly room: number
      readonly retime: boolean
      /** How many of the calls that are held back may be released. */
      readonly release: number
    }

export interface Allowance {
  /** Concurrent calls of one batch without a limit of its own. */
  readonly most: number
  /** How many of these may be queued; later calls wait behind them. */
  readonly mostQueued: number
}

export function nextStepOf(batch: RunningBatch, { most, mostQueued }: Allowance, nowMs: number): NextStep {
  if (!batch.fresh && !batch.waiting && batch.open === 0) return { do: 'finish' }
  const zones = zonesToCall(batch, nowMs)
  const { room, release } = roomOf(batch, Math.min(batch.max_concurrency ?? most, most))
  const wanted = wantsCalls(batch, zones) ? Math.max(0, Math.min(room, mostQueued - batch.queued)) : 0
  const somewhereClosed = zones.length < batch.zones.length
  const retime = (batch.held > 0 && release > 0 && zones.length > 0) || (batch.queued > 0 && somewhereClosed)
  // The call that tries the trunk is watched: as soon as it rings, the others follow.
  const isWatched = isTrial(batch) && batch.open > batch.held
  return wanted > 0 || retime || isWatched
    ? { do: 'serve', zones, room: wanted, retime, release }
    : { do: 'rest' }
}

/** Whether the batch has waited for its trunk, and does not know yet that it answers. */
export const isTrial = ({ trunk_tries: tries }: RunningBatch): boolean => tries > 0

/** How many calls may be created, and how many of those held back released. One call at a time tries a trunk. */
function roomOf(batch: RunningBatch, limit: number): { readonly room: number; readonly release: number } {
  if (!isTrial(batch)) return { room: limit - batch.open, release: batch.held }
  const left = Math.max(0, 1 - (batch.open - batch.held))
  return { room: Math.min(left, limit - batch.open), release: left }
}

/** If the agent accepts no calls, none of its zones is open. */
const zonesToCall = (batch: RunningBatch, nowMs: number): string[] =>
  batch.agent_active ? openZones(batch.calling_window, batch.zones, nowMs) : []

const wantsCalls = ({ fresh, due }: RunningBatch, zones: readonly string[]): boolean =>
  zones.length > 0 && (fresh || due)

/** The queue share of each batch of a workspace, so that together they queue no more than can be claimed. */
export function queueShares(
  running: readonly RunningBatch[],
  most: number,
  nowMs: number,
): ReadonlyMap<string, number> {
  const wanting = running.filter((batch) => wantsCalls(batch, zonesToCall(batch, nowMs)))
  const byWorkspace = Map.groupBy(wanting, ({ workspace_id }) => workspace_id)
  return new Map([...byWorkspace].map(([id, rivals]) => [id, Math.ceil(most / rivals.length)]))
}

/** Dials that count as recent: few enough to react soon, enough to rule out chance. */
export const recentMost = 40
const recentLeast = 20

/** A carrier that fails half of them is broken; continuing would only use up the list. A silent trunk has failed none. */
export function isCarrierBroken(dials: readonly Dial[]): boolean {
  const ended = dials.filter(({ finished, silent }) => finished && !silent)
  return ended.length >= recentLeast && ended.filter(({ failed }) => failed).length * 2 >= ended.length
}

// When a recipient may be called: between two times of day, on certain weekdays, in their own time zone.

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
  // If the window crosses midnight, the evening belongs to its own day and the morning to the day before.
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
