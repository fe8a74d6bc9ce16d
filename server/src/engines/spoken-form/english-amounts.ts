// Money in words.
import { cardinal, numeral } from './english-numbers.ts'
import { bySpelling } from './rule.ts'

interface Currency {
  readonly one: string
  readonly many: string
  readonly cent: string
  readonly cents: string
}

const inCents = (one: string, many = `${one}s`): Currency => ({ one, many, cent: 'cent', cents: 'cents' })

const currencies = bySpelling<Currency>({
  $: inCents('dollar'),
  'US$|USD': inCents('U S dollar'),
  'C$|CA$|CAD': inCents('Canadian dollar'),
  'A$|AU$|AUD': inCents('Australian dollar'),
  NZ$: inCents('New Zealand dollar'),
  HK$: inCents('Hong Kong dollar'),
  R$: inCents('real', 'reais'),
  '£|GBP': { one: 'pound', many: 'pounds', cent: 'penny', cents: 'pence' },
  '€|EUR': inCents('euro'),
  '₹|INR|Rs': { one: 'rupee', many: 'rupees', cent: 'paisa', cents: 'paise' },
  '¥|JPY': inCents('yen', 'yen'),
  '₩': inCents('won', 'won'),
  CNY: inCents('yuan', 'yuan'),
  CHF: inCents('Swiss franc'),
  MXN: inCents('Mexican peso'),
  SEK: { one: 'krona', many: 'kronor', cent: 'öre', cents: 'öre' },
})

const escaped = (name: string) => name.replaceAll('$', '\\$')
const longestFirst = Object.keys(currencies).toSorted((a, b) => b.length - a.length)

/** Patterns of what may stand before an amount, and after it. */
export const currencySigns = longestFirst.map(escaped).join('|')
export const currenciesAfter = longestFirst
  .filter((name) => name !== 'Rs')
  .map(escaped)
  .join('|')

const scales: Readonly<Record<string, string>> = {
  k: 'thousand',
  K: 'thousand',
  m: 'million',
  M: 'million',
  mn: 'million',
  bn: 'billion',
  B: 'billion',
}

/** A pattern of things with a price in front: a "twenty dollar bill". */
export const pricedThings =
  'bill|note|coin|fee|deposit|discount|voucher|coupon|gift|charge|credit|copay|co-pay|fine|plan|surcharge|minimum|limit|rebate'

/** Says an amount: `$1,234.50`, `-$15`, `$5 million`, `$10k`, `20 €`. */
export function amount(sign: string, written: string, scale = '', isPrice = false): string {
  const currency = currencies[sign] ?? inCents('dollar')
  const minus = written.startsWith('-') ? 'minus ' : ''
  const number = written.replace('-', '')
  if (scale) return `${minus}${numeral(number)} ${scales[scale] ?? scale} ${currency.many}`
  const [whole = '', fraction = ''] = number.replaceAll(',', '').split('.')
  if (fraction.length > 2) return `${minus}${numeral(number)} ${currency.many}`
  const units = Number(whole || '0')
  const rest = Number(fraction.padEnd(2, '0'))
  if (isPrice)
    return `${cardinal(units)} ${currency.one}${rest > 0 ? ` and ${cardinal(rest)} ${currency.cent}` : ''}`
  const cents = counted(rest, currency.cent, currency.cents)
  if (units === 0 && rest > 0) return minus + cents
  const said = counted(units, currency.one, currency.many)
  return minus + (rest > 0 ? `${said} and ${cents}` : said)
}

/** Says a range of amounts: `$10-20`, `$10-$20`. */
export const amountRange = (sign: string, from: string, to: string): string =>
  `${numeral(from)} to ${amount(sign, to)}`

const counted = (count: number, one: string, many: string) => `${cardinal(count)} ${count === 1 ? one : many}`
