// Whether the caller may use the number: the signature in the Identity header (RFC 8224, 8588), verified up to the
// authorities that the operator trusts, and what the called number does with the verdict.
import { verify, type X509Certificate } from 'node:crypto'
import type { Guard } from '../../../platform/guard/guard.ts'
import type { Log } from '../../../platform/log.ts'
import type { SipRequest } from '../message/message.ts'
import { misfitOf, type Passport, passportOf, plainOrigid, writtenCallers } from './attestation.ts'
import { CertificateCache } from './certificate-cache.ts'
import type { SipCaller } from './identity.ts'
import { type CertificateChain, isOfProvider, isTrusted, readAnchors } from './stir-certificates.ts'

type Variables = SipCaller['variables']

export interface VerifiedCaller {
  /** The variables of the call, with `verstat`. */
  readonly variables: Variables
  /** The SIP status that the call is refused with; null: it is not refused. */
  readonly refusal: number | null
}
export type VerifyCaller = (request: SipRequest, caller: SipCaller) => Promise<VerifiedCaller>

export interface VerifierParts {
  /** Undefined: no header is verified, and only verdicts of trunks count. */
  readonly anchorsFile: string | undefined
  readonly guard: Guard
  readonly log: Pick<Log, 'info'>
  readonly countRefused: (reason: string) => void
}

export async function openVerifier(parts: VerifierParts): Promise<VerifyCaller> {
  const { anchorsFile, guard, log, countRefused } = parts
  const anchors = anchorsFile === undefined ? null : await readAnchors(anchorsFile)
  const cache = new CertificateCache(guard, () => performance.now())
  const certificatesAt = (url: string) => cache.get(url)
  return async (request, caller) => {
    const now = new Date()
    const variables = anchors
      ? await verifiedVariables(request, caller, { anchors, certificatesAt, now })
      : caller.variables
    const refusal = verificationRefusal(caller.policy, variables)
    if (refusal !== null) {
      countRefused('unverified')
      const { trunkId } = caller
      log.info({ trunkId, status: refusal, fault: variables.identity_fault }, 'a caller was not verified')
    }
    return { variables, refusal }
  }
}

const unavailable = 'certificate unavailable'
const untrusted = 'certificate not trusted'

/** The answers of RFC 8224 §6.2.2. */
const statusOfFault: Readonly<Record<string, number>> = { [unavailable]: 436, [untrusted]: 437 }

/** Decides by the verdict, ours or that of the trunk. null: the call is not refused. */
export function verificationRefusal(policy: SipCaller['policy'], variables: Variables): number | null {
  const { verstat = '', identity_fault: fault = '' } = variables
  if (policy === 'off' || /^TN-Validation-Passed/i.test(verstat)) return null
  if (/^TN-Validation-Failed/i.test(verstat)) return statusOfFault[fault] ?? 438
  return policy === 'require' ? (statusOfFault[fault] ?? 428) : null
}

export interface Evidence {
  readonly anchors: CertificateChain
  readonly certificatesAt: (url: string) => Promise<CertificateChain | null>
  readonly now: Date
}

/**
 * `verstat`, with `attestation` and `origid` if the signature is true, else with `identity_fault`. Where there is nothing to be
 * verified, the verdict of the trunk stays.
 */
export async function verifiedVariables(
  request: SipRequest,
  caller: Pick<SipCaller, 'caller' | 'called' | 'variables'>,
  evidence: Evidence,
): Promise<Variables> {
  const { unverified_attestation: _a, unverified_origid: _o, identity_fault: _f, ...known } = caller.variables
  const passport = passportOf(request)
  if (passport === null) return { verstat: 'No-TN-Validation', ...known }
  const failed = (fault: string) => ({ ...known, verstat: 'TN-Validation-Failed', identity_fault: fault })
  if (passport === 'unreadable') return failed(passport)
  const fault = await faultOf(passport, request, caller, evidence)
  if (fault === unavailable) return { verstat: 'No-TN-Validation', ...known, identity_fault: fault }
  if (fault !== null) return failed(fault)
  const { claims } = passport
  const origid = plainOrigid(claims)
  const attested = { attestation: claims.attest, ...(origid !== undefined && { origid }) }
  return { ...known, verstat: 'TN-Validation-Passed', ...attested }
}

/** Why a signature is not accepted; null: it is. Checks that need no certificate come first. */
async function faultOf(
  passport: Passport,
  request: SipRequest,
  { caller, called }: Pick<SipCaller, 'caller' | 'called'>,
  { anchors, certificatesAt, now }: Evidence,
): Promise<string | null> {
  const { header, claims, info } = passport
  if (header.alg !== 'ES256' || header.ppt !== 'shaken') return 'unsupported'
  if (header.x5u !== info) return 'another certificate'
  // A withheld number is still in the headers.
  const callers = caller === null ? writtenCallers(request) : [caller]
  const misfit = misfitOf(claims, { callers, called: [called], now })
  if (misfit) return misfit
  const chain = await certificatesAt(info)
  const [leaf] = chain ?? []
  if (!chain || !leaf) return unavailable
  if (!isOfProvider(leaf) || !isTrusted(chain, anchors, now)) return untrusted
  return isSignedBy(leaf, passport) ? null : 'signature'
}

/** ES256: ECDSA with P-256 and SHA-256, its two numbers one after the other (RFC 7518 §3.4). */
function isSignedBy({ publicKey }: X509Certificate, { signed, signature }: Passport): boolean {
  if (publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return false
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  return verify('sha256', Buffer.from(signed), key, signature)
}
