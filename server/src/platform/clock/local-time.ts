// What the clock on the wall says where an agent works.

/** The specification's names, and where their clocks are. */
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
  /** As one says it: Sunday, November 15, 2026. */
  readonly date: string
  /** 3:05 PM */
  readonly time: string
  readonly timezone: string
}

export function localTime(at: Date, timezone = 'UTC'): LocalTime {
  const timeZone = places[timezone] ?? 'UTC'
  return {
    date: at.toLocaleDateString('en-US', { timeZone, dateStyle: 'full' }),
    time: at.toLocaleTimeString('en-US', { timeZone, timeStyle: 'short' }).replace(/\s/, ' '),
    timezone,
  }
}

/** The day there, as midnight of that day in UTC: for counting days. */
export function localDay(at: Date, timezone = 'UTC'): Date {
  const timeZone = places[timezone] ?? 'UTC'
  return new Date(`${at.toLocaleDateString('sv-SE', { timeZone })}T00:00:00Z`)
}
