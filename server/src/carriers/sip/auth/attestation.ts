// What the network says about the number of a caller: `verstat` of the carrier, and the claims of STIR/SHAKEN (RFC 8224,
// 8225, 8588). Claims are read and compared with the call; their signatures are not verified here (verify-caller.ts does,
// where there are anchors), and their names say so: anybody can write them.
import { z } from 'zod'
import { addressIn, parseNameAddress } from '../message/headers.ts'
import { elementsOf, headersOf, type SipRequest } from '../message/message.ts'
import { normalNumber, uriUser, userIn } from './identity.ts'

// PASSporT, the signed token of an Identity header, with the claims of SHAKEN.

const Header = z.object({
  alg: z.string(),
  ppt: z.string(),
  typ: z.literal('passport'),
  x5u: z.string().max(2_000),
  // Names extensions that a verifier has to understand (RFC 7515 §4.1.11). We understand none.
  crit: z.never().optional(),
})

const Claims = z.object({
  attest: z.enum(['A', 'B', 'C']),
  iat: z.number(),
  orig: z.object({ tn: z.string().max(32).optional() }),
  dest: z.object({ tn: z.array(z.string().max(32)).max(100).optional() }),
  origid: z.string().max(64).optional(),
})
type Claims = z.infer<typeof Claims>

export interface Passport {
  readonly header: z.infer<typeof Header>
  readonly claims: Claims
  /** The text that is signed. */
  readonly signed: string
  readonly signature: Buffer
  /** The address of the certificate, as the header names it; null: it names none. */
  readonly info: string | null
}

/** null: nothing about the caller's number is signed. Other kinds (div, rcd, rph) are about something else. */
export function passportOf(request: SipRequest): Passport | 'unreadable' | null {
  const values = headersOf(request, 'Identity').filter((value) => /^shaken$/i.test(kindOf(value) ?? 'shaken'))
  if (values.length === 0) return null
  return values.map(readPassport).find((one) => one !== null) ?? 'unreadable'
}

const kindOf = (value: string): string | undefined => /;\s*ppt\s*=\s*"?([\w-]+)/i.exec(value)?.[1]

/**
 * `header.claims.signature;info=<https://…>;alg=ES256;ppt=shaken`. Only the full form, as SHAKEN wants it: the compact one
 * leaves header and claims to be put together by who verifies.
 */
function readPassport(value: string): Passport | null {
  const match = /^([\w-]{1,4000})\.([\w-]{1,4000})\.([\w-]{1,1000})\s*(?:;(.*))?$/s.exec(value)
  if (!match) return null
  const [, header = '', claims = '', signature = '', parameters = ''] = match
  try {
    return {
      header: Header.parse(decoded(header)),
      claims: Claims.parse(decoded(claims)),
      signed: `${header}.${claims}`,
      signature: Buffer.from(signature, 'base64url'),
      info: /(?:^|;)\s*info\s*=\s*<([^<>]+)>/i.exec(parameters)?.[1] ?? null,
    }
  } catch {
    return null
  }
}

const decoded = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())

/** A signature is valid for one call at one moment (RFC 8224 §4.4). */
const freshSeconds = 60

interface CallOfClaims {
  /** Numbers that the caller may be. */
  readonly callers: readonly string[]
  /** Numbers that may have been called. */
  readonly called: readonly string[]
  readonly now: Date
}

/** Why claims cannot be about a call; null: they can. */
export function misfitOf(
  { iat, orig, dest }: Claims,
  { callers, called, now }: CallOfClaims,
): 'expired' | 'another caller' | 'another destination' | null {
  if (Math.abs(now.getTime() / 1_000 - iat) > freshSeconds) return 'expired'
  if (!isOneOf(orig.tn ?? '', callers)) return 'another caller'
  if (!dest.tn?.some((one) => isOneOf(one, called))) return 'another destination'
  return null
}

const isOneOf = (claimed: string, numbers: readonly string[]): boolean =>
  bare(claimed) !== '' && numbers.map(bare).includes(bare(claimed))

/** A number in digits alone, as claims write them. */
const bare = (number: string): string => normalNumber(number.split(';')[0] ?? '').replace(/^\+/, '')

/** `origid` without characters that could do harm in a prompt. */
export const plainOrigid = ({ origid }: Claims): string | undefined => origid?.replace(/[^\w-]/g, '')

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
  for (const address of callersIn(request)) {
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
  callersIn(request).map((address) => userIn(address) ?? '')

const callersIn = (request: SipRequest) => [
  ...elementsOf(request, 'P-Asserted-Identity').map(parseNameAddress),
  addressIn(request, 'From'),
]
