// Spells out what is written in figures and signs: amounts, times, dates, telephone numbers, codes, addresses, units. For
// any language that says its numbers from the largest part to the smallest.
import type { NumberReader, NumberWords } from './number-words.ts'
import { applied, bySpelling, escapedPattern, oneOf, pad, type SpokenRule } from './rule.ts'
import { addressRules, figureReader, identifierRules, telephoneRules } from './written-codes.ts'
import { dateRules } from './written-dates.ts'
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

function numberReader(words: NumberWords): NumberReader {
  const { thousands, fraction, grouped = `\\d{1,3}(?:${escapedPattern(thousands)}\\d{3})+` } = words
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
      new RegExp(`${withFraction}\\s?(${named})(?![\\p{L}\\p{M}\\d])`, 'gu'),
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
