// Rate limits at the door. Requests of strangers are counted and not answered, with one log line a minute for all of them.
import { RecentMap } from '../../../platform/bounded-map.ts'
import type { Log } from '../../../platform/log.ts'
import { networkOf } from '../../../platform/network-of.ts'
import type { Destination } from '../transport/transport.ts'
import { GuessLimits } from './guess-limits.ts'

/** New calls from one address: more than a large trunk sends, less than what would starve the others. */
const calls = { perSecond: 300, atOnce: 600 }
/** An office whose hundred telephones start at once behind one address; a scanner sends as many in a second. */
const challenges = { perSecond: 5, atOnce: 200 }
/** The limit for all addresses together, because addresses can be forged. */
const allChallenges = { perSecond: 200, atOnce: 2_000 }

const mostSources = 10_000
const logEveryMs = 60_000

export interface ArrivalLimitsParts {
  readonly log: Pick<Log, 'warn'>
  readonly count: (reason: string) => void
  readonly nowMs: () => number
}

export type TurnedAway = 'stranger' | 'too many calls' | 'wrong password' | 'too many logins'

export class ArrivalLimits {
  readonly #parts: ArrivalLimitsParts
  readonly #calls: Buckets
  readonly #challenges: Buckets
  readonly #all: Buckets
  readonly #guesses: GuessLimits
  #turnedAway = 0
  #lastLogMs = Number.NEGATIVE_INFINITY

  constructor(parts: ArrivalLimitsParts) {
    this.#parts = parts
    const { nowMs } = parts
    this.#calls = new Buckets(calls, nowMs)
    this.#challenges = new Buckets(challenges, nowMs)
    this.#all = new Buckets(allChallenges, nowMs)
    this.#guesses = new GuessLimits(nowMs)
  }

  /** False: too many new calls come from this address. */
  mayCall(address: string): boolean {
    if (this.#calls.take(address)) return true
    this.turnAway('too many calls')
    return false
  }

  /** False: too many requests without a password come from this peer. */
  mayAsk(peer: Destination): boolean {
    return this.#challenges.take(sourceOf(peer)) && this.#all.take('')
  }

  /** False: too many wrong passwords have come from there; not even the right one is checked for a while. */
  mayGuess({ address }: Destination, user: string | null): boolean {
    return this.#guesses.mayTry(networkOf(address), user)
  }

  guessedRight({ address }: Destination, user: string): void {
    this.#guesses.right(networkOf(address), user)
  }

  guessedWrong({ address }: Destination, user: string): void {
    const penaltyMs = this.#guesses.wrong(networkOf(address), user)
    if (penaltyMs > 0)
      this.#parts.log.warn(
        { address, minutes: penaltyMs / 60_000 },
        'SIP logins are not answered for a while, after too many wrong passwords',
      )
    this.turnAway('wrong password')
  }

  turnAway(reason: TurnedAway): void {
    this.#parts.count(reason)
    this.#turnedAway += 1
    const nowMs = this.#parts.nowMs()
    if (nowMs - this.#lastLogMs < logEveryMs) return
    this.#lastLogMs = nowMs
    this.#parts.log.warn({ requests: this.#turnedAway, last_reason: reason }, 'SIP requests were turned away')
    this.#turnedAway = 0
  }
}

/** The key of a peer. UDP is counted apart: forged addresses must not shut out senders over other transports. */
const sourceOf = ({ transport, address }: Destination): string =>
  `${transport === 'udp' ? 'udp' : 'connected'} ${address}`

interface Bucket {
  left: number
  atMs: number
}

/** Token buckets, one for each source. The sources that were quiet longest are forgotten. */
class Buckets {
  readonly #rate: typeof calls
  readonly #nowMs: () => number
  readonly #buckets = new RecentMap<string, Bucket>(mostSources)

  constructor(rate: typeof calls, nowMs: () => number) {
    this.#rate = rate
    this.#nowMs = nowMs
  }

  /** False: no token is left. */
  take(source: string): boolean {
    const bucket = this.#fill(source)
    this.#buckets.set(source, bucket)
    if (bucket.left < 1) return false
    bucket.left -= 1
    return true
  }

  #fill(source: string): Bucket {
    const nowMs = this.#nowMs()
    const { perSecond, atOnce } = this.#rate
    const bucket = this.#buckets.get(source) ?? { left: atOnce, atMs: nowMs }
    bucket.left = Math.min(atOnce, bucket.left + ((nowMs - bucket.atMs) / 1_000) * perSecond)
    bucket.atMs = nowMs
    return bucket
  }
}
