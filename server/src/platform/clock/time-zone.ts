// What the clocks of the world say: how far a time zone is from UTC at a moment, daylight saving included.

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, made)
  return made
}

/** Minutes ahead of UTC. The name must be one that the system knows. */
export function offsetMinutes(zone: string, atMs: number): number {
  // "11/15/2026, GMT-03:30", and only "GMT" where there is no difference.
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d+):(\d+))?/.exec(formatOf(zone).format(atMs)) ?? []
  if (hours === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const canonical = new Map<string, string>()

/** One name for every spelling: europe/paris is Europe/Paris. */
export function canonicalZone(zone: string): string {
  const known = canonical.get(zone)
  if (known !== undefined) return known
  const { timeZone } = formatOf(zone).resolvedOptions()
  canonical.set(zone, timeZone)
  return timeZone
}
