// The patterns of English dates and times.

import { cardinal, decade, fraction, letters, ordinal, year } from './english-numbers.ts'
import { always, type SpokenRule } from './rule.ts'

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)
const days = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

// A pattern of month names: `Mar 3` and `Sept. 3`, but not `Marina 3`.
const monthNames = months
  .map((month) =>
    month === 'May' ? month : `${month}|${month === 'September' ? 'Sept?' : month.slice(0, 3)}`,
  )
  .join('|')
export const monthsAbbreviated = 'Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec'
export const daysAbbreviated = 'Mon|Tues?|Wed|Thurs?|Thu|Fri|Sat|Sun'
export const timeZones = 'E[SD]T|C[SD]T|M[SD]T|P[SD]T|ET|CT|MT|PT|GMT|UTC|BST|CET|CEST|IST|AEST'

export const monthCalled = (name: string): string =>
  months.find((month) => month.startsWith(name.slice(0, 3))) ?? name

export const dayCalled = (name: string): string =>
  days.find((day) => day.startsWith(name.slice(0, 3))) ?? name

/** Says a day: `March third, twenty twenty six`. */
const dayOf = (month: string, number: string, inYear?: string): string =>
  `${month} ${ordinal(Number(number))}${inYear ? `, ${year(fullYear(inYear))}` : ''}`

// A year of two digits, which is one of this century, or of the last if that would be far in the future.
const fullYear = (written: string) =>
  written.length > 2 ? Number(written) : Number(written) + (Number(written) < 50 ? 2000 : 1900)

/** A date in figures: in American order, unless only the other one is a date; what is no date is read as numbers. */
function numericDay(first: string, second: string, inYear?: string): string | undefined {
  const [a, b] = [Number(first), Number(second)]
  const [month, day] = a > 12 ? [b, a] : [a, b]
  const name = months[month - 1]
  return name && day >= 1 && day <= 31 ? dayOf(name, String(day), inYear) : undefined
}

/** With dots, the day comes first. */
const dottedDay = (day: string, month: string, inYear: string): string | undefined =>
  Number(month) > 12 ? undefined : numericDay(month, day, inYear)

function clockTime(hour: string, minute: string, half?: string): string {
  const minutes = Number(minute)
  const hours = cardinal(Number(hour))
  const past = minutes === 0 ? '' : minutes < 10 ? ` oh ${cardinal(minutes)}` : ` ${cardinal(minutes)}`
  if (half) return `${hours}${past} ${halfOfDay(half)}`
  if (past) return `${hours}${past}`
  return Number(hour) > 12 ? `${hours} hundred` : `${hours} o'clock`
}

const halfOfDay = (half: string): string => letters(`${half}m`)

const nth = '(?:st|nd|rd|th)?'
// A pattern that excludes the start of another number: "March 5:30", "May 5,000".
const noMore = '(?![\\d:/%]|[.,]\\d)'
// The full stop of "p.m." stays where it ends the sentence.
const half = '([ap])\\.?\\s?m\\b(?:\\.(?!\\s*$))?'

export const englishDateRules: readonly SpokenRule[] = [
  [
    /\b(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?Z?)?\b/g,
    (match, inYear = '', month = '', day = '', hour, minute = '') => {
      const date = numericDay(month, day, inYear)
      if (!date || Number(month) > 12) return match
      return hour ? `${date} at ${clockTime(hour, minute)}` : date
    },
  ],
  [
    /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?![\d/])/g,
    (match, first = '', second = '', inYear) => numericDay(first, second, inYear) ?? match,
  ],
  [
    /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/g,
    (match, day = '', month = '', inYear = '') => dottedDay(day, month, inYear) ?? match,
  ],
  [
    /\b((?:on|by|until|till|before|after|since|from|through|due|dated) )(\d{1,2})\/(\d{1,2})(?![\d/])/gi,
    (_, head = '', month = '', day = '') =>
      head + (numericDay(month, day) ?? fraction(Number(month), Number(day))),
  ],
  [
    new RegExp(
      `\\b(${monthNames})\\.? (\\d{1,2})${nth}(?:\\s?-\\s?(\\d{1,2})${nth})?\\b${noMore}(?:,? (\\d{4})\\b${noMore})?`,
      'g',
    ),
    (_, month = '', day = '', last, inYear) => {
      const until = last ? ` to ${ordinal(Number(last))}` : ''
      return `${dayOf(monthCalled(month), day)}${until}${inYear ? `, ${year(Number(inYear))}` : ''}`
    },
  ],
  [
    new RegExp(`\\b(the )?(\\d{1,2})${nth}(?: of)? (${monthNames})\\b\\.?(?:,? (\\d{4})\\b${noMore})?`, 'g'),
    (_, the, day = '', month = '', inYear) =>
      `${the ?? 'the '}${ordinal(Number(day))} of ${monthCalled(month)}${inYear ? `, ${year(Number(inYear))}` : ''}`,
  ],
  [/\b(1[5-9]|20)(\d)0'?s\b/g, (_, century = '', tenth = '') => decade(century, Number(tenth))],
  [/(?<!\w)'?([2-9])0'?s\b/g, (_, tenth = '') => decade('', Number(tenth))],
  [/(?<!\w)'(\d{2})\b(?!')/g, (_, short = '') => year(Number(short) + (Number(short) < 50 ? 2000 : 1900))],
  // In office hours the half of the day may stand at the end only.
  [/(?<=\d|[ap]\.?m\.?)\s?-\s?(?=\d{1,2}(?::\d{2})?\s?[ap]\.?m\b)/gi, always(' to ')],
  [/(?<=\d:\d{2})\s?-\s?(?=\d{1,2}:\d{2}\b)/g, always(' to ')],
  [
    new RegExp(`(?<![\\d:])(\\d{1,2}):([0-5]\\d)(?::([0-5]\\d))?(?![\\d:])(?:\\s?${half})?`, 'gi'),
    (_, hour = '', minute = '', second, halfDay) => {
      const seconds = second && Number(second) > 0 ? ` and ${cardinal(Number(second))} seconds` : ''
      return clockTime(hour, minute, halfDay) + seconds
    },
  ],
  [
    new RegExp(`(?<![\\d:.,])(\\d{1,2})\\s?${half}`, 'gi'),
    (_, hour = '', halfDay = '') => `${cardinal(Number(hour))} ${halfOfDay(halfDay)}`,
  ],
]
