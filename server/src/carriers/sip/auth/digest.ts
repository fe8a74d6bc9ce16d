// Digest authentication (RFC 3261 §22, RFC 7616, RFC 8760), both sides: we answer challenges, and we challenge.
import { createHash, timingSafeEqual } from 'node:crypto'
import { splitList } from '../message/message.ts'
import { readParameters } from '../message/uri.ts'

export interface DigestChallenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | null
  readonly algorithm: 'MD5' | 'SHA-256' | 'SHA-512-256'
  /** null: the challenge has the old form of RFC 2069, without qop. */
  readonly qop: 'auth' | null
  readonly stale: boolean
}

export interface DigestCredentials {
  readonly username: string
  readonly password: string
}

export interface DigestRequest {
  readonly method: string
  readonly uri: string
}

const hashes = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' } as const

const isAlgorithm = (name: string): name is DigestChallenge['algorithm'] => Object.hasOwn(hashes, name)

const hash = (algorithm: DigestChallenge['algorithm'], text: string): string =>
  createHash(hashes[algorithm]).update(text).digest('hex')

/** `Digest realm="x", nonce="y"`: parameters are separated by commas here, not by semicolons. */
function readDigest(header: string): Map<string, string | null> | null {
  const match = /^\s*Digest\s+(\S.*)$/is.exec(header)
  if (!match) return null
  return readParameters(splitList(match[1] as string).join(';'))
}

/** null: the challenge is no digest, or one that we cannot compute (another algorithm, integrity protection only). */
export function parseChallenge(header: string): DigestChallenge | null {
  const parameters = readDigest(header)
  const realm = parameters?.get('realm')
  const nonce = parameters?.get('nonce')
  if (!parameters || realm == null || nonce == null) return null
  const algorithm = (parameters.get('algorithm') ?? 'MD5').toUpperCase()
  if (!isAlgorithm(algorithm)) return null
  const offered = parameters
    .get('qop')
    ?.split(',')
    .map((one) => one.trim().toLowerCase())
  if (offered && !offered.includes('auth')) return null
  return {
    realm,
    nonce,
    opaque: parameters.get('opaque') ?? null,
    algorithm,
    qop: offered ? 'auth' : null,
    stale: parameters.get('stale')?.toLowerCase() === 'true',
  }
}

/** The strongest of several challenges for one realm that we can compute. */
export function strongest(challenges: readonly DigestChallenge[]): DigestChallenge | null {
  return challenges.find(({ algorithm }) => algorithm !== 'MD5') ?? challenges[0] ?? null
}

function responseFor(
  challenge: Pick<DigestChallenge, 'realm' | 'nonce' | 'algorithm' | 'qop'>,
  { username, password }: DigestCredentials,
  { method, uri }: DigestRequest,
  nonceCount: string,
  clientNonce: string,
): string {
  const { algorithm, realm, nonce, qop } = challenge
  const who = hash(algorithm, `${username}:${realm}:${password}`)
  const what = hash(algorithm, `${method}:${uri}`)
  return hash(
    algorithm,
    qop === null ? `${who}:${nonce}:${what}` : `${who}:${nonce}:${nonceCount}:${clientNonce}:${qop}:${what}`,
  )
}

const quote = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`

/** The value of Authorization or Proxy-Authorization. A nonce is used again with a higher count. */
export function authorize(
  challenge: DigestChallenge,
  credentials: DigestCredentials,
  request: DigestRequest,
  count: number,
  clientNonce: string,
): string {
  const nonceCount = count.toString(16).padStart(8, '0')
  const response = responseFor(challenge, credentials, request, nonceCount, clientNonce)
  const parts = [
    `username=${quote(credentials.username)}`,
    `realm=${quote(challenge.realm)}`,
    `nonce=${quote(challenge.nonce)}`,
    `uri=${quote(request.uri)}`,
    `response="${response}"`,
    `algorithm=${challenge.algorithm}`,
  ]
  if (challenge.opaque !== null) parts.push(`opaque=${quote(challenge.opaque)}`)
  if (challenge.qop !== null)
    parts.push(`qop=${challenge.qop}`, `nc=${nonceCount}`, `cnonce=${quote(clientNonce)}`)
  return `Digest ${parts.join(', ')}`
}

export interface DigestAnswer {
  readonly username: string
  readonly realm: string
  readonly nonce: string
  readonly uri: string
  readonly response: string
  readonly algorithm: DigestChallenge['algorithm']
  readonly qop: 'auth' | null
  readonly nonceCount: string
  readonly clientNonce: string
}

/** The answer of a client to a challenge; null: we cannot have asked for it. */
export function parseAnswer(header: string): DigestAnswer | null {
  const parameters = readDigest(header)
  if (!parameters) return null
  const [username, realm, nonce, uri, response] = ['username', 'realm', 'nonce', 'uri', 'response'].map(
    (name) => parameters.get(name),
  )
  if (username == null || realm == null || nonce == null || uri == null || response == null) return null
  const algorithm = (parameters.get('algorithm') ?? 'MD5').toUpperCase()
  if (!isAlgorithm(algorithm)) return null
  const qop = parameters.get('qop')?.toLowerCase() ?? null
  if (qop !== null && qop !== 'auth') return null
  return {
    username,
    realm,
    nonce,
    uri,
    response: response.toLowerCase(),
    algorithm,
    qop,
    nonceCount: parameters.get('nc') ?? '',
    clientNonce: parameters.get('cnonce') ?? '',
  }
}

/** Whether the answer was computed with this password. The comparison takes constant time. */
export function isRight(answer: DigestAnswer, password: string, method: string): boolean {
  const expected = responseFor(
    answer,
    { username: answer.username, password },
    { method, uri: answer.uri },
    answer.nonceCount,
    answer.clientNonce,
  )
  const [a, b] = [Buffer.from(expected), Buffer.from(answer.response)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export function printChallenge(challenge: DigestChallenge): string {
  const parts = [
    `realm=${quote(challenge.realm)}`,
    `nonce=${quote(challenge.nonce)}`,
    `algorithm=${challenge.algorithm}`,
  ]
  if (challenge.qop !== null) parts.push(`qop="${challenge.qop}"`)
  if (challenge.opaque !== null) parts.push(`opaque=${quote(challenge.opaque)}`)
  if (challenge.stale) parts.push('stale=true')
  return `Digest ${parts.join(', ')}`
}
