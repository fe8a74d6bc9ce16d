// Amounts of money, with their currency as a sign, a code or a word.
import type { MoneyWords, NumberReader, NumberWords } from './number-words.ts'
import { oneOf, pad, type SpokenRule } from './rule.ts'

type Price = (sign: string, written: string, part?: string) => string

export function moneyRules(words: NumberWords, numbers: NumberReader): readonly SpokenRule[] {
  const { money, scales, to } = words
  const { withFraction, said } = numbers
  const signs = oneOf(Object.keys(money))
  const price = priceReader(words, numbers)
  const scaled = scales ? oneOf(scales.words) : '(?!)'
  const several = (sign: string) => scales?.join(money[sign]?.[1] ?? '') ?? ''
  const minus = (sign: string | undefined) => (sign ? `${words.minus} ` : '')
  return [
    ...betweenRules(words, signs),
    // "2,5 millones de €", "$2,5 millones": the currency follows the scale.
    [
      new RegExp(`(?<!\\d)${withFraction}\\s?(${scaled})\\s(?:de |di |d')?(${signs})(?!\\p{L})`, 'gu'),
      (_, written = '', part, scale = '', sign = '') =>
        pad(`${said(written, part)} ${scale} ${several(sign)}`),
    ],
    [
      new RegExp(`(${signs})\\s?${withFraction}\\s?(${scaled})(?!\\p{L})`, 'gu'),
      (_, sign = '', written = '', part, scale = '') =>
        pad(`${said(written, part)} ${scale} ${several(sign)}`),
    ],
    ...(to === undefined ? [] : rangeRules(to, signs, numbers, price)),
    [
      new RegExp(`(?<!\\p{L})(-\\s?)?(${signs})\\s?${withFraction}`, 'gu'),
      (_, sign, currency = '', written = '', part?) => pad(minus(sign) + price(currency, written, part)),
    ],
    [
      new RegExp(`(?<=^|[\\s(])(-)?${withFraction}\\s?(${signs})(?![\\p{L}\\p{M}])`, 'gu'),
      (_, sign, written = '', part, currency = '') => pad(minus(sign) + price(currency, written, part)),
    ],
  ]
}

function priceReader(words: NumberWords, { whole, said }: NumberReader): Price {
  const count = (number: number, noun: string) =>
    words.counted?.(words.cardinal(number), noun) ?? words.cardinal(number)
  return (sign, written, part) => {
    const names: MoneyWords = words.money[sign] ?? ['', '', '']
    const [one, several, hundredths, alone = hundredths] = names
    if (part !== undefined && part.length > 2) return `${said(written, part)} ${several}`
    const units = whole(written)
    const rest = Number((part ?? '').padEnd(2, '0'))
    if (units === 0 && rest > 0 && alone) return `${count(rest, alone)} ${alone}`
    const name = units === 1 ? one : several
    const paid = `${count(units, name)} ${name}`
    return rest === 0 ? paid : `${paid} ${words.moneyJoin} ${words.cardinal(rest)} ${hundredths}`.trim()
  }
}

/** "entre 10-20 €": the dash stands for "and". */
function betweenRules({ between, and }: NumberWords, signs: string): readonly SpokenRule[] {
  if (between === undefined) return []
  const sign = `(?:${signs})?\\s?`
  return [
    [
      new RegExp(`(?<=(?<!\\p{L})(?:${between})\\s${sign}[\\d.,]{1,12}\\s?)[-–](?=\\s?${sign}\\d)`, 'giu'),
      () => pad(and),
    ],
  ]
}

/** Rules for ranges of amounts: in "10-20 €" and "$10-20" the currency is said once. */
function rangeRules(
  to: string,
  signs: string,
  { withFraction, said }: NumberReader,
  price: Price,
): readonly SpokenRule[] {
  return [
    [
      new RegExp(`(${signs})\\s?${withFraction}\\s?[-–]\\s?(?:${signs})?\\s?${withFraction}`, 'gu'),
      (_, sign = '', from = '', fromPart, until = '', untilPart?) =>
        pad(`${said(from, fromPart)} ${to} ${price(sign, until, untilPart)}`),
    ],
    [
      new RegExp(`(?<=^|[\\s(])${withFraction}\\s?[-–]\\s?${withFraction}\\s?(${signs})(?!\\p{L})`, 'gu'),
      (_, from = '', fromPart, until = '', untilPart, sign = '') =>
        pad(`${said(from, fromPart)} ${to} ${price(sign, until, untilPart)}`),
    ],
  ]
}
