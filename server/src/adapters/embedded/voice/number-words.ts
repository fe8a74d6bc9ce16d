// Numbers in words.

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

/** 1984, 2005 and 2026 are each read differently. */
export function year(number: number): string {
  const century = Math.floor(number / 100)
  const rest = number % 100
  if (number % 1000 < 10) return cardinal(number)
  if (rest === 0) return `${cardinal(century)} hundred`
  return `${cardinal(century)} ${rest < 10 ? `oh ${ones[rest]}` : belowHundred(rest)}`
}

export const digitByDigit = (digits: string): string =>
  [...digits].flatMap((digit) => ones[Number(digit)] ?? []).join(' ')

/** Accepts a sign, commas and a fraction. */
export function numeral(written: string): string {
  const [whole = '', fraction] = written.replaceAll(',', '').split('.')
  const said = cardinal(Number(whole || '0'))
  return fraction ? `${said} point ${digitByDigit(fraction)}` : said
}
