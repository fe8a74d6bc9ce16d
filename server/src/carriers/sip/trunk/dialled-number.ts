// A number as the trunk that carries the call wants it written.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Trunk } from '../../../ports/trunk.ts'

/** `to` is in E.164 form. What is in no numbering plan keeps its digits. */
export function dialledNumber({ number, numberFormat }: Pick<Trunk, 'number' | 'numberFormat'>, to: string) {
  if (numberFormat === 'e164') return to
  const written = numberFormat === 'national' ? nationally(to, number) : undefined
  return (written ?? to).replace(/\D/g, '')
}

/** As somebody dials it who is where the own number is: within the country, or abroad. */
function nationally(to: string, own: string): string | undefined {
  const [target, here] = [parsePhoneNumberFromString(to), parsePhoneNumberFromString(own)]
  if (!target || !here) return undefined
  if (target.countryCallingCode === here.countryCallingCode) return target.format('NATIONAL')
  return here.country && target.format('IDD', { fromCountry: here.country })
}
