// Certificates that callers' numbers are signed with (RFC 8226): read, and followed up to the authorities that we trust.
// Revocation lists are not consulted.
import { X509Certificate } from 'node:crypto'
import { SettingError } from '../../../platform/config.ts'
import { readOr } from '../transport/open-transports.ts'

/** The certificate that signs, then those of the authorities between it and a root. */
export type CertificateChain = readonly X509Certificate[]

/** Reads the file of PARLEY_STIR_ANCHORS. */
export async function readAnchors(file: string): Promise<CertificateChain> {
  const setting = 'PARLEY_STIR_ANCHORS'
  const anchors = readCertificates(Buffer.from(await readOr(file, setting)))
  if (!anchors) throw new SettingError(setting, `is ${file}, which has no certificates in PEM.`)
  return anchors
}

/** Reads certificates in PEM, or a single one in DER. null: the content is neither. */
export function readCertificates(content: Buffer): CertificateChain | null {
  const blocks = content
    .toString('latin1')
    .match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  try {
    return (blocks ?? [content]).map((one) => new X509Certificate(one))
  } catch {
    return null
  }
}

// The longest chain: a provider's certificate, an authority or two, and a root.
const longestChain = 4

/** Whether every certificate is valid now and issued by the next one, up to one of the anchors. */
export function isTrusted(
  [leaf, ...others]: CertificateChain,
  anchors: CertificateChain,
  now: Date,
): boolean {
  let subject = leaf
  for (let length = 1; subject && length <= longestChain; length++) {
    const below = subject
    if (!isValidAt(below, now)) return false
    if (anchors.some((anchor) => isValidAt(anchor, now) && hasIssued(anchor, below))) return true
    subject = others.find((other) => other.ca && hasIssued(other, below))
  }
  return false
}

const isValidAt = ({ validFromDate, validToDate }: X509Certificate, now: Date): boolean =>
  validFromDate <= now && now <= validToDate

const hasIssued = (issuer: X509Certificate, subject: X509Certificate): boolean =>
  subject.checkIssued(issuer) && subject.verify(issuer.publicKey)

/** The identifier of TNAuthList, id-pe 26, as it stands in a certificate. */
const tnAuthList = Buffer.from('06082b0601050507011a', 'hex')
const critical = Buffer.from('0101ff', 'hex')

/**
 * Whether a certificate is of a service provider, which may sign for any number: SHAKEN requires one provider's code in it.
 * A customer of a provider has numbers in it instead (RFC 9060), for which alone it is valid; such certificates are not accepted.
 *
 *     OCTET STRING (04 length) { SEQUENCE (30 length) { [0] (a0 …) the code | [1] a range | [2] a number } }
 */
export function isOfProvider({ raw }: X509Certificate): boolean {
  const at = raw.indexOf(tnAuthList)
  if (at < 0) return false
  const rest = raw.subarray(at + tnAuthList.length)
  const list = rest.subarray(0, critical.length).equals(critical) ? rest.subarray(critical.length) : rest
  return list[0] === 0x04 && list[2] === 0x30 && list[4] === 0xa0
}
