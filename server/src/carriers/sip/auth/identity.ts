// Who calls whom, from the headers of an INVITE: caller, called number, and what else an agent may want to know.
import type { CalledNumber } from '../../../ports/arrival.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import { addressIn, type NameAddress, parseNameAddress } from '../message/headers.ts'
import { elementsOf, headerOf, type SipRequest } from '../message/message.ts'
import { parseUri, userOf } from '../message/uri.ts'

/** Who calls, what was called, and by which trunk. */
export type SipCaller = Omit<CalledNumber, 'by' | 'provider'> & {
  /** null: a telephone whose address is allowed, or one of several trunks of this address that cannot be told apart. */
  readonly trunk: Trunk | null
  /** What is done if nobody has verified the caller's number. */
  readonly policy: Trunk['callerVerification']
}

/** `number` is null if it is withheld or cannot be read. */
export function callerOf(
  request: SipRequest,
  isTrusted: boolean,
): { number: string | null; name: string | null } {
  const isPrivate = elementsOf(request, 'Privacy').some((value) => /\b(?:id|user|header)\b/i.test(value))
  const from = addressIn(request, 'From')
  const address = (isTrusted ? (asserted(request) ?? remoteParty(request)) : null) ?? from
  const user = address?.uri ? userOf(address.uri) : null
  if (isPrivate || user === null || /^(?:anonymous|unknown|restricted|unavailable)$/i.test(user))
    return { number: null, name: null }
  return { number: normalNumber(user), name: address?.displayName ?? from?.displayName ?? null }
}

/** The asserted identity; of several, the one with a telephone number (RFC 3325 §9.1). */
function asserted(request: SipRequest): NameAddress | null {
  const all = elementsOf(request, 'P-Asserted-Identity')
    .map(parseNameAddress)
    .filter((one) => one?.uri != null)
  return all.find((one) => one?.uri && /^\+?\d/.test(userOf(one.uri) ?? '')) ?? all[0] ?? null
}

/** The header that older carriers and PBXs send instead of an asserted identity, with its own mark for privacy. */
function remoteParty(request: SipRequest): NameAddress | null {
  const address = elementsOf(request, 'Remote-Party-Id').map(parseNameAddress)[0]
  return address?.uri && !/^(?:full|uri)/i.test(address.parameters.get('privacy') ?? '') ? address : null
}

export interface CalledTrunk {
  /** null: several trunks have this address, and it is unknown which of them is meant. */
  readonly trunk: Trunk | null
  readonly called: string
}

/**
 * The request names the number, unless it names our Contact: then To does. A diverted call is for the number that was
 * dialled first, where that is ours and the others are not.
 */
export function calledOf(
  request: SipRequest,
  trunks: readonly Trunk[],
  contactUser: string | null,
): CalledTrunk {
  const inUri = uriUser(request.uri)
  const users = [
    inUri === contactUser ? null : inUri,
    userIn(addressIn(request, 'To')),
    ...divertedFrom(request),
  ].filter((user) => user !== null)
  for (const user of users) {
    const trunk = trunks.find(({ number }) => isSameNumber(number, user))
    if (trunk) return { trunk, called: trunk.number }
  }
  return { trunk: trunks.length === 1 ? (trunks[0] as Trunk) : null, called: normalNumber(users[0] ?? '') }
}

/** Whether a number as some trunk writes it (national, without +, with 00) is this one. */
export function isSameNumber(own: string, written: string): boolean {
  const digits = normalNumber(written).replace(/^\+/, '')
  const ours = own.replace(/^\+/, '')
  if (digits === ours) return true
  const national = digits.replace(/^0+/, '')
  return /^\d{7,}$/.test(national) && ours.endsWith(national)
}

/** A number without separators, with + for a leading 00. Other text stays as it is. */
export function normalNumber(written: string): string {
  if (!/^\+?[\d().\-\s]+$/.test(written)) return written
  return written.replace(/[().\-\s]/g, '').replace(/^00/, '+')
}

/** The user part of an address. */
export const uriUser = (text: string): string | null => {
  const uri = parseUri(text)
  return uri && userOf(uri)
}

export const userIn = (address: NameAddress | null): string | null =>
  address?.uri ? userOf(address.uri) : null

/** The numbers that the call was diverted from, in order (RFC 5806, RFC 7044). */
function divertedFrom(request: SipRequest): string[] {
  const diversions = elementsOf(request, 'Diversion').reverse()
  const history = elementsOf(request, 'History-Info').slice(0, -1)
  return [...diversions, ...history]
    .map((value) => userIn(parseNameAddress(value)))
    .filter((user) => user !== null)
}

/** Bounds for what a caller writes, because it ends up in prompts. */
const mostHeaders = 20
const mostCharacters = 256
const plain = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, mostCharacters)

/** `caller_name`, `diverted_from`, `diversion_reason`, and every X- header: `X-Customer-Id` is `x_customer_id`. */
export function variablesOf(request: SipRequest, callerName: string | null): Record<string, string> {
  const variables: Record<string, string> = {}
  if (callerName !== null) variables.caller_name = plain(callerName)
  const [diverted] = divertedFrom(request)
  if (diverted !== undefined) variables.diverted_from = plain(normalNumber(diverted))
  const reason = parseNameAddress(elementsOf(request, 'Diversion').at(-1) ?? '')?.parameters.get('reason')
  if (reason) variables.diversion_reason = plain(reason)
  const extras = request.headers.filter(({ name }) => /^X-[A-Za-z0-9-]+$/.test(name)).slice(0, mostHeaders)
  for (const { name } of extras)
    variables[name.toLowerCase().replaceAll('-', '_')] = plain(headerOf(request, name) ?? '')
  return variables
}
