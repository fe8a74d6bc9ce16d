// English numbers in words, and letters by their names.

const ones = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen'
).split(' ')
const tens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const scales = ['', 'thousand', 'million', 'billion', 'trillion']
const irregularOrdinals: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}
// Numbers beyond the last scale are read digit by digit.
const largest = 1e15

export function cardinal(number: number): string {
  if (number < 0) return `minus ${cardinal(-number)}`
  if (!Number.isInteger(number) || number >= largest) return digitByDigit(String(number))
  if (number === 0) return 'zero'
  const groups: string[] = []
  for (let rest = number, scale = 0; rest > 0; rest = Math.floor(rest / 1000), scale++) {
    if (rest % 1000 > 0) groups.unshift(`${belowThousand(rest % 1000)} ${scales[scale]}`.trim())
  }
  return groups.join(' ')
}

function belowThousand(number: number): string {
  const hundreds = Math.floor(number / 100)
  const rest = number % 100
  return [hundreds > 0 && `${ones[hundreds]} hundred`, rest > 0 && belowHundred(rest)]
    .filter(Boolean)
    .join(' ')
}

function belowHundred(number: number): string {
  if (number < 20) return ones[number] ?? ''
  const one = number % 10
  return `${tens[Math.floor(number / 10)]}${one > 0 ? ` ${ones[one]}` : ''}`
}

export function ordinal(number: number): string {
  const words = cardinal(number).split(' ')
  const last = words.pop() ?? ''
  const ending = irregularOrdinals[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`)
  return [...words, ending].join(' ')
}

/** Says a year: 1984, 2005 and 2026 are each read differently. */
export function year(number: number): string {
  const century = Math.floor(number / 100)
  const rest = number % 100
  if (number % 1000 < 10) return cardinal(number)
  if (rest === 0) return `${cardinal(century)} hundred`
  return `${cardinal(century)} ${rest < 10 ? `oh ${ones[rest]}` : belowHundred(rest)}`
}

export const digitByDigit = (digits: string): string =>
  [...digits].flatMap((digit) => ones[Number(digit)] ?? []).join(' ')

/** Says numbers of rooms, flights and houses: 305 is "three oh five", 1240 "twelve forty", 1600 "sixteen hundred". */
export function inPairs(digits: string): string {
  if (digits.length < 3 || digits.length > 4 || digits.startsWith('0')) return digitByDigit(digits)
  const rest = Number(digits.slice(-2))
  if (Number(digits) % 1000 === 0) return cardinal(Number(digits))
  const head = cardinal(Number(digits.slice(0, -2)))
  if (rest === 0) return `${head} hundred`
  return `${head} ${rest < 10 ? `oh ${ones[rest]}` : belowHundred(rest)}`
}

// The groups into which people divide a code when they read it out.
const groupSizes: Readonly<Record<number, readonly number[]>> = {
  6: [3, 3],
  7: [3, 4],
  8: [4, 4],
  9: [3, 3, 3],
  10: [3, 3, 4],
  11: [1, 3, 3, 4],
  12: [4, 4, 4],
  16: [4, 4, 4, 4],
}

/** Says a code digit by digit, with a pause between groups. */
export function inGroups(digits: string): string {
  const sizes = groupSizes[digits.length] ?? sizesOfFour(digits.length)
  let at = 0
  return sizes
    .map((size) => {
      at += size
      return digitByDigit(digits.slice(at - size, at))
    })
    .join(', ')
}

function sizesOfFour(length: number): number[] {
  if (length <= 5) return [length]
  return Array.from({ length: Math.ceil(length / 4) }, (_, group) => Math.min(4, length - 4 * group))
}

/** Says a number with a sign, commas or a fraction. */
export function numeral(written: string): string {
  const [whole = '', fraction] = written.replaceAll(',', '').split('.')
  const isNegative = whole.startsWith('-')
  const said = cardinal(Number(whole.replace('-', '') || '0'))
  return `${isNegative ? 'minus ' : ''}${said}${fraction ? ` point ${digitByDigit(fraction)}` : ''}`
}

const smallFractions: Readonly<Record<number, readonly [one: string, many: string]>> = {
  2: ['half', 'halves'],
  4: ['quarter', 'quarters'],
}
// Denominators beyond these are read as numbers: "twelve over thirteen".
const denominators = new Set([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 100])

/** Says a fraction: 3/4 is "three quarters"; 8/10 as a mark is left to the caller. */
export function fraction(above: number, below: number): string {
  if (above >= below) return `${cardinal(above)} out of ${cardinal(below)}`
  if (!denominators.has(below)) return `${cardinal(above)} over ${cardinal(below)}`
  const [one, many] = smallFractions[below] ?? [ordinal(below), `${ordinal(below)}s`]
  return above === 1 ? `one ${one}` : `${cardinal(above)} ${many}`
}

/** Says a decade: the 1990s are the "nineteen nineties". */
export function decade(century: string, tenth: number): string {
  const many = tenth === 0 ? 'hundreds' : tenth === 1 ? 'tens' : `${(tens[tenth] ?? '').slice(0, -1)}ies`
  if (century === '20' && tenth === 0) return 'two thousands'
  return `${century ? `${cardinal(Number(century))} ` : ''}${many}`
}

const romanDigits: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 }

/** The value of a Roman number up to 39, which is as far as chapters and kings go. */
export function roman(written: string): number {
  const values = [...written].map((digit) => romanDigits[digit] ?? 0)
  return values.reduce((sum, value, place) => sum + (value < (values[place + 1] ?? 0) ? -value : value), 0)
}

/** A lone capital is read as the name of the letter, except `A`, which would be taken for the article. */
export const letters = (run: string): string =>
  [...run.toUpperCase()].map((letter) => (letter === 'A' ? 'ay' : letter)).join(' ')
