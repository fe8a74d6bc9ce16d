// Times and dates in words. The first argument of each function is the whole match, as passed by `replace`.
import { letters } from './letters.ts'
import { cardinal, ordinal, year } from './number-words.ts'

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** `Jan`, `Feb` …, for a pattern. */
export const monthStarts = months.map((month) => month.slice(0, 3)).join('|')

const day = (month: string, number: string, inYear?: string) =>
  `${month} ${ordinal(Number(number))}${inYear ? `, ${year(Number(inYear))}` : ''}`

const numbered = (month: string) => months[Number(month) - 1] ?? month

export const dayByName = (_: string, start: string, number: string, inYear?: string): string =>
  day(months.find((month) => month.startsWith(start)) ?? start, number, inYear)

export const isoDay = (_: string, inYear: string, month: string, number: string): string =>
  day(numbered(month), number, inYear)

export const americanDay = (_: string, month: string, number: string, inYear: string): string =>
  day(numbered(month), number, inYear)

export function clockTime(_: string, hour: string, minute: string, half?: string): string {
  const minutes = Number(minute)
  const past = minutes === 0 ? '' : minutes < 10 ? ` oh ${cardinal(minutes)}` : ` ${cardinal(minutes)}`
  if (half) return `${cardinal(Number(hour))}${past} ${letters(`${half}m`)}`
  return `${cardinal(Number(hour))}${past || " o'clock"}`
}

export const wholeHour = (_: string, hour: string, half: string): string => clockTime(_, hour, '0', half)
