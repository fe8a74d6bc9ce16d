// Local date and time in an agent's time zone.
import { getOrMake } from '../get-or-make.ts'

/** The specification's time zone names and their IANA zones. */
const places: Readonly<Record<string, string>> = {
  IST: 'Asia/Kolkata',
  UTC: 'UTC',
  EST: 'America/New_York',
  CST: 'America/Chicago',
  PST: 'America/Los_Angeles',
  GMT: 'Europe/London',
  CET: 'Europe/Paris',
  GST: 'Asia/Dubai',
  SGT: 'Asia/Singapore',
  JST: 'Asia/Tokyo',
  AEST: 'Australia/Sydney',
  IST_IRAN: 'Asia/Tehran',
  PKT: 'Asia/Karachi',
  BDT: 'Asia/Dhaka',
}

export interface LocalTime {
  /** The date as it is spoken: Sunday, November 15, 2026. */
  readonly date: string
  /** 3:05 PM */
  readonly time: string
  readonly timezone: string
}

export function localTime(at: Date, timezone = 'UTC'): LocalTime {
  const { date, time } = formatsOf(places[timezone] ?? 'UTC')
  return { date: date.format(at), time: time.format(at).replace(/\s/, ' '), timezone }
}

/** The local date as midnight UTC, for counting days. */
export function localDay(at: Date, timezone = 'UTC'): Date {
  return new Date(`${formatsOf(places[timezone] ?? 'UTC').day.format(at)}T00:00:00Z`)
}

// A format takes a hundred times as long to make as to use, and every call uses two.
const formats = new Map<string, ReturnType<typeof makeFormats>>()

const formatsOf = (timeZone: string) => getOrMake(formats, timeZone, () => makeFormats(timeZone))

const makeFormats = (timeZone: string) => ({
  date: new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'full' }),
  time: new Intl.DateTimeFormat('en-US', { timeZone, timeStyle: 'short' }),
  day: new Intl.DateTimeFormat('sv-SE', { timeZone }),
})
