// Text normalisation: spells out amounts, times, dates, addresses and abbreviations.
import { letters } from './letters.ts'
import { digitByDigit, numeral, ordinal, year } from './number-words.ts'
import { address, telephone } from './say-addresses.ts'
import { amount, currencySigns } from './say-amounts.ts'
import { americanDay, clockTime, dayByName, isoDay, monthStarts, wholeHour } from './say-times.ts'

const abbreviations: Readonly<Record<string, string>> = {
  mr: 'Mister',
  mrs: 'Missus',
  ms: 'Miz',
  dr: 'Doctor',
  prof: 'Professor',
  jr: 'Junior',
  sr: 'Senior',
  ave: 'Avenue',
  blvd: 'Boulevard',
  rd: 'Road',
  apt: 'apartment',
  dept: 'department',
  approx: 'approximately',
  inc: 'Incorporated',
  ltd: 'Limited',
  vs: 'versus',
  etc: 'et cetera',
  'e.g': 'for example',
  'i.e': 'that is',
}
const abbreviated = Object.keys(abbreviations).join('|').replaceAll('.', '\\.')

type Say = (match: string, ...parts: string[]) => string

const always =
  (words: string): Say =>
  () =>
    words

// In order: longer and more specific patterns first, remaining digits last.
const rules: readonly (readonly [written: RegExp, say: Say])[] = [
  [/\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, address],
  [/\b(?:https?:\/\/|www\.)[^\s,;!?]*[^\s,;!?.]/gi, address],
  [new RegExp(`([${currencySigns}])(\\d[\\d,]*(?:\\.\\d+)?)(?: (thousand|million|billion))?`, 'g'), amount],
  [/\b(\d{4})-(\d{2})-(\d{2})\b/g, isoDay],
  [/\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g, americanDay],
  [
    new RegExp(`\\b(${monthStarts})[a-z]*\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4})\\b)?`, 'g'),
    dayByName,
  ],
  [/\b(\d{1,2}):(\d{2})(?:\s?([ap])\.?m\b(?:\.(?!$))?)?/gi, clockTime],
  [/\b(\d{1,2})\s?([ap])\.?m\b(?:\.(?!$))?/gi, wholeHour],
  [/\+\d[\d\s().-]{6,}\d|\(\d{3}\)\s?\d{3}-\d{4}|\b(?:\d{3}[-.])?\d{3}[-.]\d{4}\b/g, telephone],
  [/(?<=\d)\s?%/g, always(' percent')],
  [/(?<=\d)\s?°/g, always(' degrees ')],
  [/\b(\d+)(?:st|nd|rd|th)\b/g, (_, number) => ordinal(Number(number))],
  [/(?<=\d)\s?[-–]\s?(?=\d)/g, always(' to ')],
  [/(?:\bNo\.|#)\s?(?=\d)/g, always('number ')],
  [/\bSt\.(?= [A-Z])/g, always('Saint')],
  [/\bSt\./g, always('Street')],
  [
    new RegExp(`\\b(${abbreviated})\\.`, 'gi'),
    (match, word = '') => abbreviations[word.toLowerCase()] ?? match,
  ],
  [/\b(?:[A-Za-z]\.){2,}/g, (run) => letters(run.replaceAll('.', ''))],
  [/&/g, always(' and ')],
  [/\+/g, always(' plus ')],
  [/=/g, always(' equals ')],
  [/@/g, always(' at ')],
  [/(?<![\d.,])(?:1[1-9]|20)\d{2}(?!\d|[.,]\d)/g, (digits) => year(Number(digits))],
  // Long ones, and those with a leading zero, are codes and not amounts.
  [/(?<![\d.,])(?:0\d+|\d{5,})(?!\d|[.,]\d)/g, digitByDigit],
  [/(?:(?<=^|\s)-)?\d+(?:,\d{3})*(?:\.\d+)?/g, (written) => ` ${numeral(written)} `],
]

export function normalise(sentence: string): string {
  const said = rules.reduce((text, [written, say]) => text.replace(written, say), sentence)
  return said
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:!?])/g, '')
    .trim()
}
