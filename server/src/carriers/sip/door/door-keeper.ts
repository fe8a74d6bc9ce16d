// Decides who is let in: known addresses, trunks that we have registered with, and telephones that log in with a user and a
// password. All others get no answer if no number has logins, and else the same challenge, whatever identity they claim.
import { isId } from '../../../platform/ids.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import { uriUser } from '../auth/identity.ts'
import { ServerAuth } from '../auth/server-auth.ts'
import { answerTo } from '../message/answer.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { IncomingRequest } from '../transactions/endpoint.ts'
import type { Destination } from '../transport/transport.ts'
import type { AddressList } from '../trunk/address-list.ts'
import type { TrunkBook, TrunkUser } from '../trunk/trunk-book.ts'
import type { ArrivalLimits } from './arrival-limits.ts'
import type { Registrar } from './registrar.ts'

export interface DoorKeeperParts {
  readonly allow: Pick<AddressList, 'has'>
  readonly book: Pick<TrunkBook, 'at' | 'ofContact' | 'hasUsers' | 'usersNamed'>
  readonly limits: Pick<
    ArrivalLimits,
    'mayCall' | 'mayAsk' | 'mayGuess' | 'guessedRight' | 'guessedWrong' | 'turnAway'
  >
  readonly registrar: Pick<Registrar, 'knows' | 'receive'>
  /** The digest algorithms, the strongest first. */
  readonly digest: readonly ('md5' | 'sha-256')[]
  /** An HMAC that all processes of the installation share. */
  readonly sign: (text: string) => Buffer
  readonly random: (bytes: number) => string
}

/** The methods that strangers may use after a login; all others are for known peers. */
const withLogin = new Set(['INVITE', 'REGISTER'])

export class DoorKeeper {
  readonly #parts: DoorKeeperParts
  readonly #auth: ServerAuth<TrunkUser>
  /** The login of each request, which is asked for again when its call is handled. */
  readonly #logins = new WeakMap<SipRequest, TrunkUser>()
  /** Why a request was refused, for its challenge. */
  readonly #refused = new WeakMap<SipRequest, 'stale' | 'unanswered' | 'wrong'>()

  constructor(parts: DoorKeeperParts) {
    this.#parts = parts
    const { book, sign, random, digest } = parts
    this.#auth = new ServerAuth({
      usersNamed: (username) => book.usersNamed(username),
      algorithms: digest.map((name) => (name === 'md5' ? 'MD5' : 'SHA-256')),
      sign,
      random,
      nowMs: Date.now,
    })
  }

  isWelcome(request: SipRequest, peer: Destination): boolean {
    const { limits } = this.#parts
    const isKnown = !this.#mustLogIn(request, peer) && this.#isKnown(request, peer)
    if (!isKnown && !this.#logsIn(request, peer)) return false
    return request.method !== 'INVITE' || limits.mayCall(peer.address)
  }

  /** The answer to a request that was not let in; null: none. */
  challenge(request: SipRequest, peer: Destination): SipResponse | null {
    const refused = this.#refused.get(request)
    if (!refused) return null
    if (!this.#parts.limits.mayAsk(peer)) {
      this.#parts.limits.turnAway('too many logins')
      return null
    }
    if (refused === 'wrong') return this.#auth.refusal(request)
    return this.#auth.challenge(request, peer.address, refused === 'stale')
  }

  /** The number by which a request has logged in; null: it needed no login. */
  loginOf(request: SipRequest): Trunk | null {
    return this.#logins.get(request)?.trunk ?? null
  }

  register(incoming: IncomingRequest): void {
    const { request, tag } = incoming
    const user = this.#logins.get(request)
    if (!user) return void incoming.respond(answerTo(request, 405, { tag }))
    this.#parts.registrar.receive(incoming, { numberId: user.trunk.id, username: user.username })
  }

  /**
   * Whether a request needs a login even from a known address. A REGISTER always does. An address without a trunk may call
   * agents by their ids, and needs a login to call a number.
   */
  #mustLogIn(request: SipRequest, { address }: Destination): boolean {
    const { book } = this.#parts
    if (!book.hasUsers || !withLogin.has(request.method)) return false
    if (request.method === 'REGISTER') return true
    const called = uriUser(request.uri) ?? ''
    return !isId(called) && book.at(address).length === 0 && book.ofContact(called).length === 0
  }

  #isKnown(request: SipRequest, peer: Destination): boolean {
    const { allow, book, registrar } = this.#parts
    if (allow.has(peer.address) || book.at(peer.address).length > 0) return true
    if (book.ofContact(uriUser(request.uri) ?? '').length > 0) return true
    return !withLogin.has(request.method) && registrar.knows(peer)
  }

  #logsIn(request: SipRequest, peer: Destination): boolean {
    const { limits, book } = this.#parts
    // An ACK of a challenge needs no answer.
    if (request.method === 'ACK' && book.hasUsers) return false
    if (!book.hasUsers || !withLogin.has(request.method)) {
      limits.turnAway('stranger')
      return false
    }
    const user = this.#auth.userIn(request)
    if (!limits.mayGuess(peer, user)) {
      limits.turnAway('too many logins')
      return false
    }
    const result = this.#auth.verify(request, peer.address)
    if (result.is === 'right') {
      this.#logins.set(request, result.login)
      limits.guessedRight(peer, result.login.username)
      return true
    }
    this.#refused.set(request, result.is)
    if (result.is === 'wrong') limits.guessedWrong(peer, user ?? '')
    return false
  }
}
