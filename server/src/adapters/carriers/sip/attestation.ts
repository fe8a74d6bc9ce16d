// What the network says about the number of a caller: `verstat` of the carrier, and the claims of STIR/SHAKEN (RFC 8224,
// 8225, 8588). Claims are read and compared with the call; their signatures are not verified.
import { z } from 'zod'
import { addressIn, type NameAddress, parseNameAddress } from './headers.ts'
import { normalNumber } from './identity.ts'
import { headersOf, listOf, type SipRequest } from './message.ts'
import { parseUri, userOf } from './uri.ts'

/** A signature is for one call, at one moment (RFC 8224 §4.4). */
const freshSeconds = 60

const Claims = z.object({
  attest: z.enum(['A', 'B', 'C']),
  iat: z.number(),
  orig: z.object({ tn: z.string().max(32).optional() }),
  dest: z.object({ tn: z.array(z.string().max(32)).max(100).optional() }),
  origid: z.string().max(64).optional(),
})

/**
 * `verstat`, where a trunk gives it; `identity_attestation` (A: the carrier knows the caller and that the number is the caller's, B: it
 * knows the caller, C: neither) and `identity_origid`, if the claims fit the call; else `identity_fault`.
 */
export function attestationOf(
  request: SipRequest,
  { isTrusted, now }: { readonly isTrusted: boolean; readonly now: Date },
): Record<string, string> {
  const verstat = isTrusted ? verstatOf(request) : null
  return { ...(verstat !== null && { verstat }), ...identityOf(request, now) }
}

/** A parameter of the number or of the whole header, by carrier. */
function verstatOf(request: SipRequest): string | null {
  const asserted = listOf(request, 'P-Asserted-Identity').map(parseNameAddress)
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
  const headers = headersOf(request, 'Identity')
  if (headers.length === 0) return {}
  const claims = headers.map(claimsIn).find((one) => one !== null)
  if (!claims) return { identity_fault: 'unreadable' }
  const fault = faultOf(claims, request, now)
  if (fault) return { identity_fault: fault }
  return {
    identity_attestation: claims.attest,
    ...(claims.origid !== undefined && { identity_origid: claims.origid.replace(/[^\w-]/g, '') }),
  }
}

/** `header.claims.signature;info=<…>;alg=ES256;ppt=shaken` */
function claimsIn(value: string): z.infer<typeof Claims> | null {
  const [, claims] = /^[\w-]{1,2000}\.([\w-]{1,4000})\.[\w-]{1,1000}\s*(?:;|$)/.exec(value) ?? []
  if (claims === undefined) return null
  try {
    return Claims.parse(JSON.parse(Buffer.from(claims, 'base64url').toString()))
  } catch {
    return null
  }
}

function faultOf({ iat, orig, dest }: z.infer<typeof Claims>, request: SipRequest, now: Date): string | null {
  if (Math.abs(now.getTime() / 1_000 - iat) > freshSeconds) return 'expired'
  const asserted = listOf(request, 'P-Asserted-Identity').map(parseNameAddress)
  const callers = [...asserted, addressIn(request, 'From')].map(numberIn)
  if (orig.tn === undefined || !callers.includes(bare(orig.tn))) return 'another caller'
  const called = [numberIn(addressIn(request, 'To')), bare(uriUser(request.uri))]
  if (!dest.tn?.some((one) => called.includes(bare(one)))) return 'another destination'
  return null
}

const uriUser = (text: string): string => {
  const uri = parseUri(text)
  return (uri && userOf(uri)) ?? ''
}
const userIn = (address: NameAddress | null | undefined): string | null =>
  address?.uri ? userOf(address.uri) : null
const numberIn = (address: NameAddress | null): string => bare(userIn(address) ?? '')
/** Digits alone, as claims write them. */
const bare = (number: string): string => normalNumber(number.split(';')[0] ?? '').replace(/^\+/, '')
