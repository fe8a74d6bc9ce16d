// Answers the challenges of a trunk for one call or registration, and keeps the nonces that it may use again.
import { headersOf, type SipRequest, type SipResponse } from '../message/message.ts'
import {
  authorize,
  type DigestChallenge,
  type DigestCredentials,
  parseChallenge,
  strongest,
} from './digest.ts'

interface AnsweredChallenge {
  readonly challenge: DigestChallenge
  readonly header: 'Authorization' | 'Proxy-Authorization'
  count: number
}

export class ClientAuth {
  readonly #credentials: DigestCredentials | null
  readonly #random: (bytes: number) => string
  readonly #known = new Map<string, AnsweredChallenge>()
  /** How often each realm has refused the current request. */
  readonly #refusals = new Map<string, number>()

  constructor(credentials: DigestCredentials | null, random: (bytes: number) => string) {
    this.#credentials = credentials
    this.#random = random
  }

  /** Adds the credentials that earlier challenges ask for. */
  sign(request: SipRequest): SipRequest {
    const credentials = this.#credentials
    if (!credentials || this.#known.size === 0) return request
    const headers = request.headers.filter(
      ({ name }) => name !== 'Authorization' && name !== 'Proxy-Authorization',
    )
    for (const known of this.#known.values()) {
      known.count += 1
      const asked = { method: request.method, uri: request.uri }
      const value = authorize(known.challenge, credentials, asked, known.count, this.#random(8))
      headers.push({ name: known.header, value })
    }
    return { ...request, headers }
  }

  /**
   * Reads the challenges of a 401 or 407; `tries` is how often this request was sent before. False: another try would be
   * refused in the same way. A new nonce is a reason to try again only if the last one is marked stale, or was used before
   * and may have been forgotten by the registrar.
   */
  learn(response: SipResponse, tries: number): boolean {
    if (!this.#credentials) return false
    if (tries === 0) this.#refusals.clear()
    let learnt = false
    for (const [asks, header] of challengeHeaders) {
      const byRealm = Map.groupBy(
        headersOf(response, asks)
          .map(parseChallenge)
          .filter((one) => one !== null),
        ({ realm }) => realm,
      )
      for (const [realm, challenges] of byRealm) {
        const challenge = strongest(challenges)
        if (!challenge) continue
        const key = `${header} ${realm}`
        const before = this.#known.get(key)
        const wasFresh = before !== undefined && before.count === 1
        const refusals = this.#refusals.get(key) ?? 0
        this.#refusals.set(key, refusals + 1)
        if ((wasFresh && !challenge.stale) || refusals >= maxTries) continue
        this.#known.set(key, { challenge, header, count: 0 })
        learnt = true
      }
    }
    return learnt
  }
}

/** The most tries for each realm: with the first nonce, and once more if that was stale. */
const maxTries = 2

const challengeHeaders = [
  ['WWW-Authenticate', 'Authorization'],
  ['Proxy-Authenticate', 'Proxy-Authorization'],
] as const
