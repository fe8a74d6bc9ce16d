// The filter of a list of calls, and the terms of the index that it means. Pure.
import type { CallDirection, CallStatus, HangupReason } from '@parley/contract'
import { isId } from '../../../platform/ids.ts'

export interface CallFilter {
  agentId?: string | undefined
  /** A version of the agent with `agentId`. */
  agentVersion?: number | undefined
  batchId?: string | undefined
  status?: CallStatus | undefined
  type?: CallDirection | undefined
  from?: string | undefined
  to?: string | undefined
  phoneNumberId?: string | undefined
  /** Whether over a number of ours. */
  withNumber?: boolean | undefined
  search?: string | undefined
  answered?: boolean | undefined
  minSeconds?: number | undefined
  maxSeconds?: number | undefined
  hangupReason?: HangupReason | 'none' | undefined
  sentiment?: string | undefined
  disposition?: string | undefined
  minScore?: number | undefined
  maxScore?: number | undefined
}

/** What somebody typed into the search, and where it may be found. */
export interface SearchTerms {
  /** A whole id: nothing else is looked at. */
  readonly sessionId?: string
  /** The facts to look for, in the notation of a tsquery; undefined: it cannot be a fact. */
  readonly facts?: string
  /** Patterns for the numbers of calls that are not in the index yet. */
  readonly numbers: readonly string[]
  readonly words: string
}

// Fewer digits are in nearly every number.
const leastDigits = 3

/** Quoted, as a tsquery wants it; functions/index-call.sql cuts at the same length. */
const term = (fact: string): string =>
  `'${fact.slice(0, 302).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
const beginning = (fact: string): string => `${term(fact)}:*`
/** No fact of this kind. */
const noneOf = (kind: string): string => `!${beginning(kind)}`

const backwards = (text: string): string => [...text].reverse().join('')
const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

export function readSearch(typed: string): SearchTerms {
  const text = typed.trim()
  if (isId(text)) return { sessionId: text.toLowerCase(), numbers: [], words: '' }
  const isNumber = /^\+?[\d\s()./-]+$/.test(text)
  const digits = text.replaceAll(/\D/g, '')
  if (isNumber && digits.length >= leastDigits) {
    // Digits after a plus begin a number; without one they may as well end it.
    const ends = !text.startsWith('+')
    return {
      facts: [beginning(`=n${digits}`), ...(ends ? [beginning(`=m${backwards(digits)}`)] : [])].join(' | '),
      numbers: [`+${digits}%`, ...(ends ? [`%${digits}`] : [])],
      words: text,
    }
  }
  if (/\s/.test(text)) return { numbers: [], words: text }
  const name = text.toLowerCase().replace(/^sips?:/, '')
  return {
    facts: `${term(`=c${text.toLowerCase()}`)}${text.includes('@') ? ` | ${beginning(`=n${name}`)}` : ''}`,
    numbers: text.includes('@') ? [`sip:${escaped(name)}%`, `sips:${escaped(name)}%`] : [],
    words: text,
  }
}

// As in functions/index-call.sql: calls of 2^n - 1 to 2^(n + 1) - 1 seconds have the term =dn. A logarithm may
// be rounded either way, so the neighbours are taken too: the length itself is compared afterwards.
const bucketOf = (seconds: number): number => Math.floor(Math.log2(1 + seconds))
const lastBucket = 20

function lengthTerms({ minSeconds, maxSeconds }: CallFilter): string | undefined {
  if (minSeconds === undefined && maxSeconds === undefined) return undefined
  const first = Math.max(0, bucketOf(minSeconds ?? 0) - 1)
  const last = maxSeconds === undefined ? lastBucket : bucketOf(maxSeconds) + 1
  const buckets = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => term(`=d${first + at}`))
  return buckets.length > 0 ? `(${buckets.join(' | ')})` : term('=none')
}

/** The facts that an ended call must have, in the notation of a tsquery. */
export function factsOf(workspaceId: string, filter: CallFilter): string {
  const { answered, withNumber, hangupReason } = filter
  const facts: Record<string, string | undefined> = {
    '=w': workspaceId.toLowerCase(),
    '=a': filter.agentId?.toLowerCase(),
    '=v': filter.agentVersion?.toString(),
    '=b': filter.batchId?.toLowerCase(),
    '=p': filter.phoneNumberId?.toLowerCase(),
    '=s': filter.status,
    '=t': filter.type,
    '=h': hangupReason === 'none' ? undefined : hangupReason,
    '=o': filter.sentiment,
    '=f': filter.disposition,
  }
  const given = Object.entries(facts).flatMap(([kind, value]) => (value ? [term(kind + value)] : []))
  const length = lengthTerms(filter)
  return [
    ...given,
    ...(answered === undefined ? [] : [term(answered ? '=y' : '=z')]),
    ...(withNumber === undefined ? [] : [withNumber ? beginning('=p') : noneOf('=p')]),
    ...(hangupReason === 'none' ? [noneOf('=h')] : []),
    ...(length ? [length] : []),
  ].join(' & ')
}

/** Only calls that have ended have these. */
export const isOfEnded = (filter: CallFilter): boolean =>
  [
    filter.answered,
    filter.minSeconds,
    filter.maxSeconds,
    filter.hangupReason,
    filter.sentiment,
    filter.disposition,
    filter.minScore,
    filter.maxScore,
  ].some((value) => value !== undefined)

/** Whether the table of calls itself has an index for all filters. */
export function isPlain(filter: CallFilter): boolean {
  const { agentId: _a, batchId: _b, from: _f, to: _t, minScore: _l, maxScore: _m, ...rest } = filter
  return Object.values(rest).every((value) => value === undefined)
}

// So many digits are in few numbers.
const specificDigits = 6

/** Whether a search names one call, or hardly more, so that there is no point in walking through the newest. */
export function isSpecific({ search }: CallFilter): boolean {
  if (search === undefined) return false
  const { sessionId, facts } = readSearch(search)
  return (
    sessionId !== undefined || (facts !== undefined && search.replaceAll(/\D/g, '').length >= specificDigits)
  )
}
