// The filters of the list of calls, as they are in the address and as the server is asked.
import type { CallsQuery } from '@parley/contract'

/** The filters, named as on the wire, except `since`, a period that ends now, and `length`. */
const names = [
  'search',
  'call_status',
  'call_type',
  'agent_id',
  'agent_version',
  'phone_number_id',
  'batch_id',
  'since',
  'from',
  'to',
  'length',
  'answered',
  'hangup_reason',
  'sentiment',
  'disposition',
] as const

export type FilterName = (typeof names)[number]
export type Filters = Readonly<Partial<Record<FilterName, string>>>

export const sinceWords: Record<string, string> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
}

/** The value of the filter by number for calls that went over none. */
export const noNumber = 'none'

/** The value of `since` for two chosen days instead of a period. */
export const betweenDays = 'days'

const hoursOf: Record<string, number> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 }

export const lengthChoices: Record<string, { words: string; min?: number; max?: number }> = {
  'to-10s': { words: 'Up to 10 s', max: 10 },
  '10s-1m': { words: '10 s to 1 min', min: 10, max: 60 },
  '1m-5m': { words: '1 to 5 min', min: 60, max: 300 },
  '5m-20m': { words: '5 to 20 min', min: 300, max: 1200 },
  'from-20m': { words: '20 min or longer', min: 1200 },
}

export const filtersIn = (query: URLSearchParams): Filters =>
  Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name) as string]] : [])))

export function callsAt(filters: Filters): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value))
  return query.size > 0 ? `/calls?${query}` : '/calls'
}

const twoDigits = (part: number) => String(part).padStart(2, '0')

/** A day as a date field has it: 2026-01-31, in the time zone of this browser. */
export const dayOf = (at: Date): string =>
  [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-')

/** The calls between two days, both included. */
export const callsBetween = (from: string, to: string, more: Filters = {}): string =>
  callsAt({ since: betweenDays, from, to, ...more })

export const without = (filters: Filters, name: FilterName): Filters => {
  const { [name]: _gone, ...rest } = filters
  return rest
}

/** The start of a period in whole minutes, so that the same view sends the same request for a while. */
export function startOf(since: string, now = Date.now()): string | undefined {
  const hours = hoursOf[since]
  if (!hours) return undefined
  return new Date(Math.floor((now - hours * 3_600_000) / 60_000) * 60_000).toISOString()
}

type Wire = Readonly<Partial<Record<keyof CallsQuery, string | number>>>

/** A link of a chart may mean an hour: `from` and `to` are moments then, and `to` is the first that is not included. */
export const isMoment = (bound = ''): boolean => bound.includes('T')

/** A day of a date field, in the time zone of this browser. */
const boundOf = (day: string, plusDays = 0): string | undefined => {
  if (isMoment(day)) return Number.isNaN(Date.parse(day)) ? undefined : day
  const [year = Number.NaN, month = 1, date = 1] = day.split('-').map(Number)
  const at = new Date(year, month - 1, date + plusDays)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

export function wireOf({ since, length, from, to, phone_number_id: number, ...rest }: Filters): Wire {
  const { min, max } = lengthChoices[length ?? ''] ?? {}
  const start = since && since !== betweenDays ? startOf(since) : from && boundOf(from)
  // The last day is included.
  const end = to && boundOf(to, 1)
  return {
    ...rest,
    ...(number && (number === noNumber ? { with_number: 'false' } : { phone_number_id: number })),
    ...(start && { from: start }),
    ...(end && { to: end }),
    ...(min !== undefined && { min_duration: min }),
    ...(max !== undefined && { max_duration: max }),
  }
}
