// UTC offsets of time zones at a given moment, including daylight saving.
import { getOrMake } from '../get-or-make.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat =>
  getOrMake(
    formats,
    zone,
    () => new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }),
  )

/** Minutes ahead of UTC. The zone must be known to the system. */
export function offsetMinutes(zone: string, atMs: number): number {
  // "11/15/2026, GMT-03:30"; only "GMT" if there is no offset.
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d+):(\d+))?/.exec(formatOf(zone).format(atMs)) ?? []
  if (hours === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const canonical = new Map<string, string>()

/** Normalises the spelling: europe/paris becomes Europe/Paris. */
export function canonicalZone(zone: string): string {
  const known = canonical.get(zone)
  if (known !== undefined) return known
  const { timeZone } = formatOf(zone).resolvedOptions()
  canonical.set(zone, timeZone)
  return timeZone
}
