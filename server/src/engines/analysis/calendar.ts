// Resolves spoken dates relative to the day of the call: "next Tuesday" → 2026-11-17.

import { numberWord } from '../dialogue/spoken-number.ts'
import { dateIn } from '../dialogue/spoken-time.ts'
import { plain } from '../dialogue/words.ts'

const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const ordinals =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  )
const dayMs = 86_400_000

/** The day that is named; undefined if no date was named, or an impossible one. */
export function dayIn(said: string, today: Date): string | undefined {
  const words = dateIn(said)
  if (words === undefined) return undefined
  const text = plain(words)
  const iso = text.match(/^(\d{4})-(\d{1,2})-(\d{1,2})$/)
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  return monthDay(text, today) ?? relative(text, today)
}

function relative(text: string, today: Date): string | undefined {
  const after = (days: number) => isoOf(new Date(today.getTime() + days * dayMs))
  if (/day after tomorrow/.test(text)) return after(2)
  if (/\b(?:today|tonight)\b/.test(text)) return after(0)
  if (/\btomorrow\b/.test(text)) return after(1)
  if (/\byesterday\b/.test(text)) return after(-1)
  const span = text.match(/^in (\S+) (day|week)s?$/)
  if (span) {
    const count = span[1] === 'a' ? 1 : numberWord(span[1] ?? '')
    return count === undefined ? undefined : after(count * (span[2] === 'week' ? 7 : 1))
  }
  const weekday = weekdays.findIndex((name) => text.includes(name))
  if (weekday < 0) return undefined
  const days = (weekday - today.getUTCDay() + 7) % 7 || 7
  return after(/\blast\b/.test(text) ? days - 7 : days)
}

/** The date in "March the 3rd", "the fifth of May 1990" or "twenty first of June". */
function monthDay(text: string, today: Date): string | undefined {
  const month = months.findIndex((name) => new RegExp(`\\b${name}[a-z]*\\b`).test(text)) + 1
  if (month === 0) return undefined
  const rest = text.replace(new RegExp(`\\b${months[month - 1]}[a-z]*\\b`), ' ')
  const year = Number(rest.match(/\b(?:19|20)\d\d\b/)?.[0] ?? Number.NaN)
  const day = dayNumber(rest.replace(/\b(?:19|20)\d\d\b/, ' '))
  if (day === undefined) return undefined
  if (!Number.isNaN(year)) return dayOf(year, month, day)
  const thisYear = today.getUTCFullYear()
  const here = dayOf(thisYear, month, day)
  // A date without a year is never one long past.
  const isGone = here !== undefined && Date.parse(here) < today.getTime() - 60 * dayMs
  return isGone ? dayOf(thisYear + 1, month, day) : here
}

function dayNumber(text: string): number | undefined {
  const digits = text.match(/\b(\d{1,2})(?:st|nd|rd|th)?\b/)?.[1]
  if (digits) return Number(digits)
  const words = text.split(/[\s-]+/)
  const ten = words.includes('twenty') ? 20 : words.includes('thirty') || words.includes('thirtieth') ? 30 : 0
  const small = words.map((word) => ordinals.indexOf(word)).find((place) => place > 0)
  const one = small ?? words.map(numberWord).find((value) => value !== undefined && value > 0 && value < 20)
  return ten + (one ?? 0) || undefined
}

/** A date as text; undefined if it does not exist. */
function dayOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? isoOf(date) : undefined
}

const isoOf = (date: Date): string => date.toISOString().slice(0, 10)
