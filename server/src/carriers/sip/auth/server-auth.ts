// Asks telephones at our own door for a user and a password (RFC 3261 §22.4, RFC 7616, RFC 8760). Nothing in an answer, nor
// the time that it takes, says whether a user exists.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { answerTo } from '../message/answer.ts'
import { callIdOf, topVia } from '../message/headers.ts'
import { headersOf, type SipRequest, type SipResponse } from '../message/message.ts'
import { type DigestAnswer, isRight, parseAnswer, printChallenge } from './digest.ts'

type WithPassword = { readonly password: string }

export interface ServerAuthParts<Login extends WithPassword> {
  /** All users with this name: several workspaces may have one each. */
  readonly usersNamed: (username: string) => readonly Login[]
  /** An HMAC that all processes of the installation share: each accepts the nonces of the others, also after a restart. */
  readonly sign: (text: string) => Buffer
  /** The strongest first. */
  readonly algorithms: readonly ('MD5' | 'SHA-256')[]
  readonly random: (bytes: number) => string
  readonly nowMs: () => number
}

export type AuthResult<Login> =
  /** The request has no answer to a challenge of ours. */
  | { readonly is: 'unanswered' }
  /** The password is right, but the nonce has expired, was used, or belongs to another process. */
  | { readonly is: 'stale' }
  | { readonly is: 'wrong' }
  | { readonly is: 'right'; readonly login: Login }

/** Telephones show it to people whom they ask for the password. */
const realm = 'parley'
/** Long enough for a REGISTER and the calls after it; short, so that a nonce that was overheard is soon useless. */
const nonceMs = 300_000

export class ServerAuth<Login extends WithPassword> {
  readonly #parts: ServerAuthParts<Login>
  /** Identifies this process in its nonces: only it knows how often they were used. */
  readonly #instance: string
  readonly #counts: NonceCounts
  /** The password that is compared for users that do not exist. */
  readonly #nobody = randomBytes(16).toString('hex')

  constructor(parts: ServerAuthParts<Login>) {
    this.#parts = parts
    this.#instance = parts.random(4)
    this.#counts = new NonceCounts(parts.nowMs)
  }

  /** Who a request says that it is from; null: it does not answer a challenge of ours. */
  userIn(request: SipRequest): string | null {
    return this.#answerIn(request)?.username ?? null
  }

  /** Checks the password. `address` is the sender's: a nonce is valid for one address only. */
  verify(request: SipRequest, address: string): AuthResult<Login> {
    const answer = this.#answerIn(request)
    const age = answer && this.#ageOf(answer.nonce, address)
    if (!answer || !age) return { is: 'unanswered' }
    const login = this.#match(answer, request.method)
    if (!login) return { is: 'wrong' }
    if (age === 'old' || !this.#counts.use(answer.nonce, countOf(answer))) return { is: 'stale' }
    return { is: 'right', login }
  }

  /** A challenge. It is sent without a transaction (§8.2.7), so that nothing is stored for the sender. */
  challenge(request: SipRequest, address: string, stale: boolean): SipResponse {
    const nonce = this.#nonceFor(address)
    const headers = this.#parts.algorithms.map((algorithm) => ({
      name: 'WWW-Authenticate',
      value: printChallenge({ realm, nonce, algorithm, qop: 'auth', opaque: null, stale }),
    }))
    return answerTo(request, 401, { tag: this.#tagFor(request), headers })
  }

  /** The answer to a wrong password. A challenge instead would make some telephones repeat the password without end. */
  refusal(request: SipRequest): SipResponse {
    return answerTo(request, 403, { tag: this.#tagFor(request) })
  }

  /** A tag that stays the same for every repetition of the request. */
  #tagFor(request: SipRequest): string {
    const seed = `${callIdOf(request)} ${topVia(request)?.parameters.get('branch')}`
    return this.#parts.sign(`tag ${seed}`).toString('hex', 0, 8)
  }

  #answerIn(request: SipRequest): DigestAnswer | null {
    for (const name of ['Authorization', 'Proxy-Authorization'])
      for (const value of headersOf(request, name)) {
        const answer = parseAnswer(value)
        if (answer?.realm === realm && this.#parts.algorithms.some((one) => one === answer.algorithm))
          return answer
      }
    return null
  }

  /** Finds the user with the right password. For an unknown user as much is computed, so that the time says nothing. */
  #match(answer: DigestAnswer, method: string): Login | undefined {
    const candidates = this.#parts.usersNamed(answer.username)
    if (candidates.length === 0) isRight(answer, this.#nobody, method)
    return candidates.filter(({ password }) => isRight(answer, password, method))[0]
  }

  /** `<time in seconds, base 36>.<process>.<random>.<signature>` */
  #nonceFor(address: string): string {
    const seconds = Math.floor(this.#parts.nowMs() / 1_000).toString(36)
    const text = `${seconds}.${this.#instance}.${this.#parts.random(8)}`
    return `${text}.${this.#signatureOf(text, address)}`
  }

  #signatureOf(text: string, address: string): string {
    return this.#parts.sign(`nonce ${text} ${address}`).toString('hex', 0, 16)
  }

  /** null: the nonce was not given to this address by us. */
  #ageOf(nonce: string, address: string): 'fresh' | 'old' | null {
    const [, text, seconds = '', instance, signature = ''] =
      /^(([0-9a-z]{1,9})\.([0-9a-f]{8})\.[0-9a-f]{16})\.([0-9a-f]{32})$/.exec(nonce) ?? []
    if (text === undefined) return null
    const [given, wanted] = [Buffer.from(signature), Buffer.from(this.#signatureOf(text, address))]
    if (!timingSafeEqual(given, wanted)) return null
    const ageMs = this.#parts.nowMs() - Number.parseInt(seconds, 36) * 1_000
    return instance === this.#instance && ageMs < nonceMs ? 'fresh' : 'old'
  }
}

/** Clients without qop do not count, so that each of their nonces is valid once. */
const countOf = ({ qop, nonceCount }: DigestAnswer): number =>
  qop === null ? 1 : /^[0-9a-f]{1,8}$/i.test(nonceCount) ? Number.parseInt(nonceCount, 16) : 0

/** The most telephones that log in within the life of a nonce; further ones are challenged again. */
const mostNonces = 20_000

interface NonceUse {
  readonly count: number
  readonly atMs: number
}

/** How often each nonce of ours was used: a request that was overheard cannot be sent a second time (RFC 7616 §3.3). */
class NonceCounts {
  readonly #used = new Map<string, NonceUse>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** False: the nonce was used with this count or a higher one before. */
  use(nonce: string, count: number): boolean {
    const before = this.#used.get(nonce)
    if (count <= (before?.count ?? 0)) return false
    this.#forgetOld()
    // A nonce that cannot be remembered could be used again.
    if (!before && this.#used.size >= mostNonces) return false
    this.#used.delete(nonce)
    this.#used.set(nonce, { count, atMs: this.#nowMs() })
    return true
  }

  /** The map is in the order of last use. */
  #forgetOld(): void {
    const untilMs = this.#nowMs() - nonceMs
    for (const [nonce, { atMs }] of this.#used) {
      if (atMs > untilMs) return
      this.#used.delete(nonce)
    }
  }
}
