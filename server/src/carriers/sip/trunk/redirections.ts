// Where a trunk may redirect a call of ours (RFC 3261 §8.1.3.4): to its own servers, and to what the workspace may call
// anyway. Whoever answers a call must not be able to make us pay for another one.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Trunk } from '../../../ports/trunk.ts'
import { normalNumber } from '../auth/identity.ts'
import { parseUri, printHost, userOf } from '../message/uri.ts'
import type { TrunkBook } from './trunk-book.ts'

/** Whether a host is that of the trunk, or one of its addresses. */
export const isAtTrunk = (trunk: Trunk, host: string, book: Pick<TrunkBook, 'at'>): boolean =>
  host === trunk.host?.toLowerCase() || book.at(host).includes(trunk)

/** Text that a trunk could take for more than it says, such as `;phone-context`, is neither. */
const plainNumber = /^\+?\d{1,15}$/
const plainName = /^[a-z][\w.-]{0,63}$/i

/**
 * The address to call instead; null: the call does not go there. `mayDial` decides about numbers in E.164 form and SIP
 * addresses. Nothing of the far end's address is kept but user, host and port: no way past TLS, no headers.
 */
export function redirectedTo(
  address: string,
  trunk: Trunk,
  book: Pick<TrunkBook, 'at'>,
  mayDial: (to: string) => boolean,
): string | null {
  const uri = parseUri(address)
  if (!uri || uri.scheme === 'tel' || trunk.host === null || !isAtTrunk(trunk, uri.host, book)) return null
  const user = normalNumber(userOf(uri) ?? '')
  if (userOf(uri) !== uri.user || !(plainNumber.test(user) || plainName.test(user))) return null
  const dialled = numberOf(trunk, user) ?? `sip:${user}@${printHost(trunk.host)}`
  if (!mayDial(dialled)) return null
  const port = uri.port === null ? '' : `:${uri.port}`
  const transport = trunk.transport === 'udp' ? '' : `;transport=${trunk.transport}`
  return `sip:${user}@${printHost(uri.host)}${port}${transport}`
}

/** The number in E.164 form that the trunk means; null: an extension, a name, or not to be told for certain. */
function numberOf({ number, numberFormat }: Trunk, user: string): string | null {
  if (user.startsWith('+')) return user
  if (!/^\d{7,}$/.test(user) || numberFormat === 'e164') return null
  if (numberFormat === 'digits') return `+${user}`
  const country = parsePhoneNumberFromString(number)?.country
  return (country && parsePhoneNumberFromString(user, country)?.number) ?? null
}
