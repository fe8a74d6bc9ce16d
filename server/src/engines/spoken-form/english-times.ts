// Times and dates in words.
import { letters } from './english-letters.ts'
import { cardinal, ordinal, year } from './english-numbers.ts'

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)
const days = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

// For patterns. `Mar 3` and `Sept. 3`, but not `Marina 3`.
export const monthNames = months
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

/** `March third, twenty twenty six`. */
export const dayOf = (month: string, number: string, inYear?: string): string =>
  `${month} ${ordinal(Number(number))}${inYear ? `, ${year(fullYear(inYear))}` : ''}`

// A year of two digits is one of this century, or of the last if that would be far in the future.
const fullYear = (written: string) =>
  written.length > 2 ? Number(written) : Number(written) + (Number(written) < 50 ? 2000 : 1900)

/** American order, unless only the other one is a date; what is no date is read as numbers. */
export function numericDay(first: string, second: string, inYear?: string): string | undefined {
  const [a, b] = [Number(first), Number(second)]
  const [month, day] = a > 12 ? [b, a] : [a, b]
  const name = months[month - 1]
  return name && day >= 1 && day <= 31 ? dayOf(name, String(day), inYear) : undefined
}

/** With dots, the day comes first. */
export const dottedDay = (day: string, month: string, inYear: string): string | undefined =>
  Number(month) > 12 ? undefined : numericDay(month, day, inYear)

export function clockTime(hour: string, minute: string, half?: string): string {
  const minutes = Number(minute)
  const hours = cardinal(Number(hour))
  const past = minutes === 0 ? '' : minutes < 10 ? ` oh ${cardinal(minutes)}` : ` ${cardinal(minutes)}`
  if (half) return `${hours}${past} ${halfOfDay(half)}`
  if (past) return `${hours}${past}`
  return Number(hour) > 12 ? `${hours} hundred` : `${hours} o'clock`
}

export const halfOfDay = (half: string): string => letters(`${half}m`)
