// Dates and times that are written in figures.
import type { NumberWords } from './number-words.ts'
import { oneOf, pad, type SpokenRule } from './rule.ts'

export function dateRules(words: NumberWords): readonly SpokenRule[] {
  const { months, hourSigns, halves, to } = words
  const isDate = (day: string, month: string) =>
    Number(day) >= 1 && Number(day) <= 31 && Number(month) >= 1 && Number(month) <= 12
  const said = (match: string, head: string, day: string, month: string, year?: string) => {
    if (!isDate(day, month)) return match
    const inYear = year === undefined ? undefined : Number(year.length === 2 ? `20${year}` : year)
    return `${head} ${words.date(Number(day), Number(month), inYear, head.trim().toLowerCase())} `
  }
  const before = '((?:(?<![\\p{L}])[\\p{L}\\p{M}]+\\s)?)'
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
