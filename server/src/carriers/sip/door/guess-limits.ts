// Wrong passwords at the door. Who guesses is not listened to for a while, each time twice as long as the time before; a
// telephone that has logged in from the same network is heard nevertheless, so that one guesser does not silence an office.
import { RecentMap } from '../../../platform/bounded-map.ts'

/** Somebody who mistypes a password, and telephones that go on trying with an old one, stay below this. */
const guesses = { perSecond: 0.1, atOnce: 10 }

const firstPenaltyMs = 60_000
const longestPenaltyMs = 86_400_000
/** Penalties and logins that are older count no more. */
const memoryMs = 7 * 86_400_000

const mostSources = 10_000
const mostUsers = 20_000

interface Guesser {
  left: number
  atMs: number
  /** How many penalties it has had. */
  penalties: number
  untilMs: number
}

export class GuessLimits {
  readonly #nowMs: () => number
  readonly #guessers = new RecentMap<string, Guesser>(mostSources)
  /** When somebody last logged in: by network, and by network and user. */
  readonly #networks = new RecentMap<string, number>(mostSources)
  readonly #users = new RecentMap<string, number>(mostUsers)

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Whether a request is worked on. `user` is who it says that it is from; null: it does not say. */
  mayTry(network: string, user: string | null): boolean {
    if (user !== null && this.#isKnown(network, user)) return !this.#isShut(userOf(network, user))
    if (!this.#isShut(network)) return true
    // Whoever has logged in from there may do so again, and has to be asked for the password first.
    return user === null && this.#isRecent(this.#networks.get(network))
  }

  right(network: string, user: string): void {
    this.#networks.set(network, this.#nowMs())
    this.#users.set(userOf(network, user), this.#nowMs())
  }

  /** Counts a wrong password. Returns the penalty that it was one too many for, in ms; 0: none. */
  wrong(network: string, user: string): number {
    // The password of a known user has guesses of its own, or it could be guessed without end.
    const source = this.#isKnown(network, user) ? userOf(network, user) : network
    const guesser = this.#guesserAt(source)
    this.#guessers.set(source, guesser)
    guesser.left -= 1
    if (guesser.left >= 1) return 0
    const penaltyMs = Math.min(longestPenaltyMs, firstPenaltyMs * 2 ** guesser.penalties)
    guesser.penalties += 1
    guesser.untilMs = this.#nowMs() + penaltyMs
    return penaltyMs
  }

  #isShut(source: string): boolean {
    return this.#nowMs() < (this.#guessers.get(source)?.untilMs ?? 0)
  }

  #isKnown(network: string, user: string): boolean {
    return this.#isRecent(this.#users.get(userOf(network, user)))
  }

  #isRecent(atMs: number | undefined): boolean {
    return atMs !== undefined && this.#nowMs() - atMs < memoryMs
  }

  #guesserAt(source: string): Guesser {
    const nowMs = this.#nowMs()
    const known = this.#guessers.get(source)
    if (!known || nowMs - Math.max(known.atMs, known.untilMs) > memoryMs)
      return { left: guesses.atOnce, atMs: nowMs, penalties: 0, untilMs: 0 }
    const left = known.left + ((nowMs - known.atMs) / 1_000) * guesses.perSecond
    return { ...known, left: Math.min(guesses.atOnce, left), atMs: nowMs }
  }
}

const userOf = (network: string, user: string): string => `${network} ${user.toLowerCase()}`
