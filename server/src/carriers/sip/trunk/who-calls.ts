// Finds out who calls from an INVITE: the trunk or the user that it came through, the caller, and what was called.
import type { Trunk } from '../../../ports/trunk.ts'
import { attestationOf } from '../auth/attestation.ts'
import { calledOf, callerOf, type SipCaller, uriUser, variablesOf } from '../auth/identity.ts'
import type { IncomingCall } from '../call/incoming-call.ts'
import type { AddressList } from './address-list.ts'
import type { TrunkBook } from './trunk-book.ts'

/**
 * Who calls; null: none of several trunks of this address has the called number. `login` is the number by which a
 * telephone has logged in. A caller who needs no trunk calls an agent.
 */
export function whoCalls(
  { request, peer }: Pick<IncomingCall, 'request' | 'peer'>,
  book: Pick<TrunkBook, 'ofContact' | 'at'>,
  allow: AddressList,
  login: Trunk | null,
): SipCaller | null {
  const user = uriUser(request.uri)
  const registered = user === null ? [] : book.ofContact(user)
  const trunks = login ? [login] : registered.length > 0 ? registered : book.at(peer.address)
  const { trunk, called } = calledOf(request, trunks, registered.length > 0 ? user : null)
  if (trunks.length > 1 && !trunk && !allow.has(peer.address)) return null
  const { number, name } = callerOf(request, trunk !== null)
  const attestation = attestationOf(request, { isTrusted: trunk !== null, now: new Date() })
  const variables = { ...variablesOf(request, name), ...attestation }
  // A telephone that has logged in needs no further proof.
  const policy = (login ? null : trunk?.callerVerification) ?? 'off'
  return { trunk, policy, trunkId: trunk?.id ?? null, called, caller: number, variables }
}
