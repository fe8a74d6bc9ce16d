// Money in words.
import { cardinal, numeral } from './number-words.ts'

interface Currency {
  readonly one: string
  readonly many: string
  readonly cent: string
  readonly cents: string
}

const currencies: Readonly<Record<string, Currency>> = {
  $: { one: 'dollar', many: 'dollars', cent: 'cent', cents: 'cents' },
  '£': { one: 'pound', many: 'pounds', cent: 'penny', cents: 'pence' },
  '€': { one: 'euro', many: 'euros', cent: 'cent', cents: 'cents' },
  '₹': { one: 'rupee', many: 'rupees', cent: 'paisa', cents: 'paise' },
}

export const currencySigns = Object.keys(currencies).join('')

/** `$1,234.50`, `$5 million`; the first argument is the whole match. */
export function amount(match: string, sign: string, written: string, scale?: string): string {
  const currency = currencies[sign]
  if (!currency) return match
  if (scale) return `${numeral(written)} ${scale} ${currency.many}`
  const [whole = '', fraction = ''] = written.replaceAll(',', '').split('.')
  const said = counted(Number(whole), currency.one, currency.many)
  const rest = Number(fraction.padEnd(2, '0').slice(0, 2))
  return rest > 0 ? `${said} and ${counted(rest, currency.cent, currency.cents)}` : said
}

const counted = (count: number, one: string, many: string) => `${cardinal(count)} ${count === 1 ? one : many}`
