// Local date and time in an agent's time zone.

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
  /** As spoken: Sunday, November 15, 2026. */
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

/** The local date as midnight UTC, for counting days. */
export function localDay(at: Date, timezone = 'UTC'): Date {
  const timeZone = places[timezone] ?? 'UTC'
  return new Date(`${at.toLocaleDateString('sv-SE', { timeZone })}T00:00:00Z`)
}
