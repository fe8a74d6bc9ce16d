// The world's numbering plan, from the metadata of libphonenumber: which country a number is in and what kind it is.
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  type NumberType,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'

const countriesByCode = new Map<string, string[]>()
for (const country of getCountries()) {
  const code = getCountryCallingCode(country)
  countriesByCode.set(code, [...(countriesByCode.get(code) ?? []), country])
}

/** Codes that belong to no country: what is behind them. */
export const globalServices: ReadonlyMap<string, string> = new Map([
  ['800', 'international freephone'],
  ['808', 'international shared cost'],
  ['870', 'Inmarsat satellites'],
  ['878', 'universal personal numbers'],
  ['881', 'satellite networks'],
  ['882', 'international networks'],
  ['883', 'international networks'],
  ['888', 'humanitarian telecommunications'],
  ['979', 'international premium rate'],
])

/** No code is the beginning of another. Undefined: no country and no service has such a code. */
export function callingCodeOf(digits: string): string | undefined {
  for (let length = 1; length <= 3; length++) {
    const code = digits.slice(0, length)
    if (countriesByCode.has(code) || globalServices.has(code)) return code
  }
  return undefined
}

export const countriesOf = (callingCode: string): readonly string[] => countriesByCode.get(callingCode) ?? []

export const nationalNumber = (digits: string, callingCode: string): string =>
  digits.slice(callingCode.length)

/** As ISO 3166 writes them: DE, US. */
export const isCountry = (name: string): boolean => getCountries().includes(name as CountryCode)

// The names are read when they are first needed: that takes 50 ms, which no start should wait for.
let names: Intl.DisplayNames | undefined

export function countryName(country: string): string {
  names ??= new Intl.DisplayNames(['en'], { type: 'region' })
  return names.of(country) ?? country
}

export interface NumberRange {
  /** Undefined: the number is in none, or in several that cannot be told apart. */
  readonly country: string | undefined
  /** Undefined: it is in no range that is assigned to anybody. */
  readonly type: NumberType
}

/** `number` in E.164 form. */
export function rangeOf(number: string): NumberRange {
  const parsed = parsePhoneNumberFromString(number, { extract: false })
  return { country: parsed?.country, type: parsed?.getType() }
}
