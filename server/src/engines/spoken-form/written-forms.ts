// Spells out what is written in figures and signs: amounts, times, dates, telephone numbers, codes, addresses, units. For
// any language that says its numbers from the largest part to the smallest.
import type { NumberReader, NumberWords } from './number-words.ts'
import { applied, bySpelling, escapedPattern, oneOf, pad, type SpokenRule } from './rule.ts'
import { addressRules, figureReader, identifierRules, telephoneRules } from './written-codes.ts'
import { moneyRules } from './written-money.ts'

export type { NumberWords } from './number-words.ts'

// Longer numbers, and those with a leading zero, are codes: they are said figure by figure.
const longestAmount = 9

export function writtenForms(written: NumberWords): (sentence: string) => string {
  const words = {
    ...written,
    money: bySpelling(written.money),
    units: bySpelling(written.units ?? {}),
    fractions: bySpelling(written.fractions ?? {}),
    abbreviations: bySpelling(written.abbreviations),
  }
  const numbers = numberReader(words)
  // The rules in order: longer and more specific patterns first, remaining figures last.
  const rules: readonly SpokenRule[] = [
    [/[\u00a0\u2007\u202f]/g, () => ' '],
    ...(words.own ?? []),
    ...addressRules(words),
    ...dateRules(words),
    ...telephoneRules(words),
    ...moneyRules(words, numbers),
    ...unitRules(words, numbers),
    ...abbreviationRules(words),
    ...identifierRules(words),
    ...numberRules(words, numbers),
  ]
  return (sentence) =>
    applied(rules, sentence)
      .replace(/\s+/g, ' ')
      .replace(/ (?=[.,;:!?।])/g, '')
      // "un'ora", "millions d'euros".
      .replace(/(?<=(?<!\p{L})(?:un|d)') (?=\p{L})/gu, '')
      .trim()
}

// Nobody writes a longer number, and looking for the end of one that never ends takes the square of its length.
const mostGroups = 8

function numberReader(words: NumberWords): NumberReader {
  const {
    thousands,
    fraction,
    grouped = `\\d{1,3}(?:${escapedPattern(thousands)}\\d{3}){1,${mostGroups}}`,
  } = words
  const figures = figureReader(words)
  const pattern = `(?:${grouped})(?!\\d)|\\d+`
  const whole = (written: string) => Number(written.replaceAll(thousands, ''))
  const fractionOf = (part: string) =>
    part.startsWith('0') || part.length > 2 ? figures(part) : words.cardinal(Number(part))
  return {
    pattern,
    withFraction: `(${pattern})(?:${escapedPattern(fraction)}(\\d+))?`,
    whole,
    said(written, part) {
      const isCode = /^0\d/.test(written) || written.replaceAll(thousands, '').length > longestAmount
      const said = isCode ? figures(written) : words.cardinal(whole(written))
      return part === undefined ? said : `${said} ${words.fractionWord} ${fractionOf(part)}`
    },
  }
}

function unitRules(words: NumberWords, { withFraction, whole, said }: NumberReader): readonly SpokenRule[] {
  const { units = {}, to } = words
  const named = oneOf(Object.keys(units))
  return [
    ...(to === undefined
      ? []
      : [
          [
            new RegExp(`(?<=\\d)\\s?[-–]\\s?(?=\\d+(?:[.,]\\d+)?\\s?(?:%|${named})(?![\\p{L}\\p{M}]))`, 'gu'),
            () => pad(to),
          ] as SpokenRule,
        ]),
    [
      new RegExp(`(?<!\\d)${withFraction}\\s?(${named})(?![\\p{L}\\p{M}\\d])`, 'gu'),
      (_, written = '', part, unit = '') => {
        const [one, several] = units[unit] ?? ['', '']
        const noun = whole(written) === 1 && part === undefined ? one : several
        const number = said(written, part)
        return pad(`${part === undefined ? (words.counted?.(number, noun) ?? number) : number} ${noun}`)
      },
    ],
    [/(?<=\d)\s?%/g, () => pad(words.percent)],
  ]
}

function abbreviationRules({ numberWord, abbreviations }: NumberWords): readonly SpokenRule[] {
  const written = oneOf(Object.keys(abbreviations))
  return [
    ...(numberWord === undefined
      ? []
      : [
          [
            /(?<![\p{L}\d])(?:n\.?[º°]|n\.|núm\.|num\.|Nr\.|#)\s?(?=\d)/giu,
            () => pad(numberWord),
          ] as SpokenRule,
        ]),
    [
      new RegExp(`(?<![\\p{L}\\p{M}\\d])(${written})(?![\\p{L}\\p{M}\\d])`, 'giu'),
      (match) => abbreviations[match.toLowerCase()] ?? match,
    ],
  ]
}

function numberRules(
  words: NumberWords,
  { pattern, withFraction, whole, said }: NumberReader,
): readonly SpokenRule[] {
  const { fractions = {}, to, ordinal, counted } = words
  const rules: SpokenRule[] = [
    [
      new RegExp(`(?<![\\d/])(${oneOf(Object.keys(fractions))})(?![\\d/])`, 'g'),
      (match) => pad(fractions[match] ?? match),
    ],
  ]
  if (ordinal)
    rules.push([
      /(?<![\p{L}\d])(\d{1,3})\.?(º|ª|er|re|ère|e|ème|nd|nde)(?![\p{L}\d])/gu,
      (_, written = '', mark = '') => pad(ordinal(Number(written), /^(?:ª|re|ère|nde)$/.test(mark))),
    ])
  if (to !== undefined)
    rules.push([
      /(?<![\d.,/-]|\d[-–])(\d{1,4})\s?[-–]\s?(?=\d{1,4}(?![\d.,/-]*[-–\d]))/g,
      (_, from = '') => `${from} ${to} `,
    ])
  rules.push(
    [/(?<=^|[\s(])[-−](?=\d)/g, () => `${words.minus} `],
    [/&/g, () => pad(words.and)],
    [/@/g, () => pad(words.at)],
    [/\+/g, () => pad(words.plus)],
  )
  if (counted)
    rules.push([
      new RegExp(`(?<![\\p{L}\\d.,])(${pattern})\\s(\\p{L}[\\p{L}\\p{M}]+)`, 'gu'),
      (match, written = '', noun = '') =>
        /^0\d/.test(written) || written.length > longestAmount
          ? match
          : ` ${counted(words.cardinal(whole(written)), noun)} ${noun}`,
    ])
  rules.push([new RegExp(withFraction, 'gu'), (_, written = '', part?) => pad(said(written, part))])
  return rules
}

const wideMarks: Readonly<Record<string, string>> = {
  '，': ',',
  '、': ',',
  '。': '.',
  '！': '!',
  '？': '?',
  '：': ':',
  '；': ';',
}

/** Replaces the punctuation of Chinese and Japanese by that of other languages, where sentences may be split. */
export const asciiMarks = (text: string): string =>
  text.replace(/[，、。！？：；]\s*/g, (mark) => `${wideMarks[mark.trim()] ?? ''} `).trim()

function dateRules(words: NumberWords): readonly SpokenRule[] {
  const { months, hourSigns, halves, to } = words
  const isDate = (day: string, month: string) =>
    Number(day) >= 1 && Number(day) <= 31 && Number(month) >= 1 && Number(month) <= 12
  const said = (match: string, head: string, day: string, month: string, year?: string) => {
    if (!isDate(day, month)) return match
    const inYear = year === undefined ? undefined : Number(year.length === 2 ? `20${year}` : year)
    return `${head} ${words.date(Number(day), Number(month), inYear, head.trim().toLowerCase())} `
  }
  const before = '((?:(?<![\\p{L}\\p{M}])[\\p{L}\\p{M}]+\\s)?)'
  const rules: SpokenRule[] = [
    [
      new RegExp(`${before}(?<!\\d)(\\d{4})-(\\d{2})-(\\d{2})(?!\\d)`, 'gu'),
      (match, head = '', year = '', month = '', day = '') => said(match, head, day, month, year),
    ],
    [
      new RegExp(`${before}(?<![\\d/.])(\\d{1,2})([/.-])(\\d{1,2})\\3(\\d{4}|\\d{2})(?![\\d/])`, 'gu'),
      (match, head = '', day = '', _sign, month = '', year = '') => said(match, head, day, month, year),
    ],
  ]
  if (months) {
    const names = oneOf(Object.keys(months.names))
    rules.push([
      new RegExp(
        `${before}(?<![\\d.,:])(\\d{1,2})(?:º|°|er|\\.)?\\s${months.join ? `(?:${months.join}\\s)?` : ''}(${names})(?![\\p{L}\\p{M}])\\.?(?:\\s${months.join ? `(?:${months.join}l?\\s)?` : ''}(\\d{4})(?!\\d))?`,
        'giu',
      ),
      (match, head = '', day = '', name = '', year) =>
        said(match, head, day, String(months.names[name.toLowerCase()] ?? 0), year),
    ])
  }
  const clock = (hours: string, minutes: string) =>
    Number(hours) <= 24 && Number(minutes) < 60 ? words.time(Number(hours), Number(minutes)) : undefined
  if (to !== undefined)
    rules.push([/(?<=\d{1,2}(?::|h|\.)\d{2}\s?h?)\s?[-–]\s?(?=\d{1,2}(?::|h|\.)\d{2})/g, () => ` ${to} `])
  if (halves)
    rules.push([
      /(?<![\d:.,])(\d{1,2})(?::(\d{2}))?\s?([ap])\.?\s?m(?!\p{L})(?:\.(?=\s*[\p{Ll},;]))?/giu,
      (match, hours = '', minutes = '0', half = '') => {
        const time = clock(hours, minutes)
        const [morning, afternoon] = halves
        return time === undefined ? match : pad(`${time} ${half.toLowerCase() === 'a' ? morning : afternoon}`)
      },
    ])
  rules.push([
    new RegExp(
      `(?<![\\d:.,])(\\d{1,2})(?::|(?<=\\d)h)(\\d{2})(?::\\d{2})?(?!\\d)(?:\\s?(?:${hourSigns ?? 'h'})(?![\\p{L}\\p{M}]))?`,
      'gu',
    ),
    (match, hours = '', minutes = '') => {
      const time = clock(hours, minutes)
      return time === undefined ? match : pad(time)
    },
  ])
  return rules
}
