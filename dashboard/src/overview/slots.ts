// Every hour or day of a period, also those without calls. Pure.
import type { CallOverview } from '@parley/contract'

export interface Slot {
  readonly at: Date
  /** The start of the next one. */
  readonly end: Date
  readonly calls: number
  readonly answered: number
}

const startOf = (moment: Date, byHour: boolean): Date =>
  byHour
    ? new Date(Math.floor(moment.getTime() / 3_600_000) * 3_600_000)
    : new Date(moment.getFullYear(), moment.getMonth(), moment.getDate())

const following = (at: Date, byHour: boolean): Date =>
  byHour ? new Date(at.getTime() + 3_600_000) : new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1)

/** All hours or days of a period, in the time zone of this browser, each with the counts of the server that fall into it. */
export function slotsOf({ from, to, series }: CallOverview, byHour: boolean): Slot[] {
  const slots: Slot[] = []
  for (let at = startOf(new Date(from), byHour); at < new Date(to); at = following(at, byHour)) {
    const end = following(at, byHour)
    const here = series.filter((one) => new Date(one.at) >= at && new Date(one.at) < end)
    slots.push({
      at,
      end,
      calls: here.reduce((sum, { calls }) => sum + calls, 0),
      answered: here.reduce((sum, { answered }) => sum + answered, 0),
    })
  }
  return slots
}
