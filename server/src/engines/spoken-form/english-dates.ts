// The patterns of English dates and times.
import { cardinal, decade, fraction, ordinal, year } from './english-numbers.ts'
import {
  clockTime,
  dayOf,
  dottedDay,
  halfOfDay,
  monthCalled,
  monthNames,
  numericDay,
} from './english-times.ts'
import { always, type Rule } from './rule.ts'

const nth = '(?:st|nd|rd|th)?'
// Not the start of another number: "March 5:30", "May 5,000".
const noMore = '(?![\\d:/%]|[.,]\\d)'
// The full stop of "p.m." stays where it ends the sentence.
const half = '([ap])\\.?\\s?m\\b(?:\\.(?!\\s*$))?'

export const dateRules: readonly Rule[] = [
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
  // Office hours: the half of the day may stand at the end only.
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
