// What the network says about the number of a caller: `verstat` of the carrier, and the claims of STIR/SHAKEN (RFC 8224,
// 8225, 8588). Claims are read and compared with the call; their signatures are not verified here (verify-caller.ts does,
// where there are anchors), and their names say so: anybody can write them.
import { addressIn, parseNameAddress } from '../message/headers.ts'
import { elementsOf, type SipRequest } from '../message/message.ts'
import { uriUser, userIn } from './identity.ts'
import { misfitOf, passportOf, plainOrigid } from './passport.ts'

/**
 * `verstat`, where a trunk gives it; `unverified_attestation` (A: the carrier knows the caller and that the number is the caller's, B: it
 * knows the caller, C: neither) and `unverified_origid`, if the claims fit the call; else `identity_fault`.
 */
export function attestationOf(
  request: SipRequest,
  { isTrusted, now }: { readonly isTrusted: boolean; readonly now: Date },
): Record<string, string> {
  const verstat = isTrusted ? verstatOf(request) : null
  return { ...(verstat !== null && { verstat }), ...identityOf(request, now) }
}

/** `verstat` of a trunk: carriers write it as a parameter of the number or of the whole header. */
function verstatOf(request: SipRequest): string | null {
  const asserted = elementsOf(request, 'P-Asserted-Identity').map(parseNameAddress)
  for (const address of [...asserted, addressIn(request, 'From')]) {
    const found = address?.uri?.parameters.get('verstat') ?? address?.parameters.get('verstat')
    // In a SIP address it may stand with the number: sip:+1555;verstat=…@host.
    const user = address?.uri && address.uri.scheme !== 'tel' ? address.uri.user : null
    const inUser = /;verstat=([\w-]{1,64})/i.exec(user ?? '')?.[1]
    const value = found ?? inUser
    if (value && /^[\w-]{1,64}$/.test(value)) return value
  }
  return null
}

function identityOf(request: SipRequest, now: Date): Record<string, string> {
  const passport = passportOf(request)
  if (passport === null) return {}
  if (passport === 'unreadable') return { identity_fault: passport }
  const { claims } = passport
  const called = [userIn(addressIn(request, 'To')), uriUser(request.uri)].map((user) => user ?? '')
  const fault = misfitOf(claims, { callers: writtenCallers(request), called, now })
  if (fault) return { identity_fault: fault }
  const origid = plainOrigid(claims)
  return { unverified_attestation: claims.attest, ...(origid !== undefined && { unverified_origid: origid }) }
}

/** The caller's numbers in the headers, also if they are withheld from the called party. */
export const writtenCallers = (request: SipRequest): string[] =>
  [...elementsOf(request, 'P-Asserted-Identity').map(parseNameAddress), addressIn(request, 'From')].map(
    (address) => userIn(address) ?? '',
  )
