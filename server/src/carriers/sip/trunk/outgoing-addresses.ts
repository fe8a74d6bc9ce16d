// The addresses of a call of ours, as its trunk wants them: request URI, From, identity, headers.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Trunk } from '../../../ports/trunk.ts'
import { type Header, headerName } from '../message/message.ts'
import { parseUri, printHost, printUri } from '../message/uri.ts'
import { type HostedTrunk, hasHost, hostUri } from './registrations.ts'

export interface OutgoingAddresses {
  readonly to: string
  readonly from: string
  readonly headers: readonly Header[]
  /** The trunk as a route, if the address belongs to another host. */
  readonly routes: readonly string[]
}

/** null: the address cannot be called. `to` is a number in E.164 form, or a SIP address. */
export function addressesOf(trunk: Trunk, to: string, from: string | null): OutgoingAddresses | null {
  const target = hasHost(trunk) ? targetOf(trunk, to) : null
  if (!hasHost(trunk) || !target) return null
  const number = from ?? trunk.number
  const host = printHost(trunk.host)
  const headers = Object.entries(trunk.headers).map(([name, value]) => ({ name: headerName(name), value }))
  const identity = { name: trunk.identityHeader, value: `<sip:${encodeUser(number)}@${host}>` }
  const isPrivate = headers.some(({ name, value }) => name === 'Privacy' && /\bid\b/i.test(value))
  if (isPrivate)
    return {
      ...target,
      from: '"Anonymous" <sip:anonymous@anonymous.invalid>',
      headers: [identity, ...headers],
    }
  const user = trunk.fromUser ?? number
  return {
    ...target,
    from: `<sip:${encodeUser(user)}@${host}>`,
    // The number is in From already, unless the trunk wants its account there.
    headers: user === number ? headers : [identity, ...headers],
  }
}

function targetOf(trunk: HostedTrunk, to: string): Pick<OutgoingAddresses, 'to' | 'routes'> | null {
  const transport = trunk.transport === 'udp' ? '' : `;transport=${trunk.transport}`
  const own = `${hostUri(trunk)}${transport}`
  if (!/^sips?:/i.test(to))
    return { to: own.replace('sip:', `sip:${encodeUser(dialledNumber(trunk, to))}@`), routes: [] }
  const uri = parseUri(to)
  if (!uri || uri.scheme === 'tel') return null
  // Headers in an address could add anything to our INVITE (RFC 3261 §19.1.5).
  const address = printUri({ ...uri, headers: null })
  // A trunk without a port of its own is at any port of its host.
  const isThere = uri.host === trunk.host.toLowerCase() && (uri.port !== null || trunk.port === null)
  return isThere ? { to: address, routes: [] } : { to: address, routes: [`<${own};lr>`] }
}

const encodeUser = (user: string): string => encodeURIComponent(user).replaceAll('%2B', '+')

/** Writes a number in E.164 form as the trunk wants it. A number of no known numbering plan keeps its digits. */
function dialledNumber({ number, numberFormat }: Pick<Trunk, 'number' | 'numberFormat'>, to: string) {
  if (numberFormat === 'e164') return to
  const written = numberFormat === 'national' ? nationally(to, number) : undefined
  return (written ?? to).replace(/\D/g, '')
}

/** A number as it is dialled from the country of our own number. */
function nationally(to: string, own: string): string | undefined {
  const [target, here] = [parsePhoneNumberFromString(to), parsePhoneNumberFromString(own)]
  if (!target || !here) return undefined
  if (target.countryCallingCode === here.countryCallingCode) return target.format('NATIONAL')
  return here.country && target.format('IDD', { fromCountry: here.country })
}
