// Who is let in: known addresses, trunks that we have registered with, and telephones that log in with a user and a password. All
// others get no answer if there are no logins, and else the same challenge, whatever identity they claim.
import { isId } from '../../../platform/ids.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import { type AuthResult, ServerAuth } from '../auth/server-auth.ts'
import { answerTo } from '../message/answer.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { IncomingRequest } from '../transactions/endpoint.ts'
import type { Destination } from '../transport/transport.ts'
import type { AddressList } from '../trunk/address-list.ts'
import type { TrunkBook, TrunkUser } from '../trunk/trunk-book.ts'
import { calledUser } from '../trunk/who-calls.ts'
import type { ArrivalLimits } from './arrival-limits.ts'
import type { Registrar } from './registrar.ts'

export interface DoorKeeperParts {
  readonly allow: Pick<AddressList, 'has'>
  readonly book: Pick<TrunkBook, 'at' | 'ofContact' | 'hasUsers' | 'usersNamed'>
  readonly limits: Pick<ArrivalLimits, 'mayCall' | 'mayAsk' | 'mayGuess' | 'guessedWrong' | 'turnAway'>
  readonly registrar: Pick<Registrar, 'knows' | 'receive'>
  /** How passwords are proved, the strongest first. */
  readonly digest: readonly ('md5' | 'sha-256')[]
  /** An HMAC that all processes of the installation share. */
  readonly sign: (text: string) => Buffer
  readonly random: (bytes: number) => string
}

/** What strangers may ask for after they have logged in; everything else is for those who are known. */
const withLogin = new Set(['INVITE', 'REGISTER'])

export class DoorKeeper {
  readonly #parts: DoorKeeperParts
  readonly #auth: ServerAuth<TrunkUser>
  /** Who has logged in with which request; it is looked at again when its call is worked on. */
  readonly #logins = new WeakMap<SipRequest, TrunkUser>()
  /** Why a request was not let in, for its challenge. */
  readonly #refused = new WeakMap<SipRequest, 'stale' | 'unanswered' | 'wrong'>()

  constructor(parts: DoorKeeperParts) {
    this.#parts = parts
    const { book, sign, random, digest } = parts
    this.#auth = new ServerAuth({
      usersNamed: (username) =>
        book.usersNamed(username).map((login) => ({ password: login.password, login })),
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

  /** What a request that was not let in is answered. null: nothing. */
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

  /** The number by which it has logged in; null: it needed no login. */
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
   * Even from a known address. A registration proves a user. An address without a trunk may call agents by their ids; a
   * number is called there by the telephones that belong to one.
   */
  #mustLogIn(request: SipRequest, { address }: Destination): boolean {
    const { book } = this.#parts
    if (!book.hasUsers || !withLogin.has(request.method)) return false
    if (request.method === 'REGISTER') return true
    const called = calledUser(request) ?? ''
    return !isId(called) && book.at(address).length === 0 && book.ofContact(called).length === 0
  }

  #isKnown(request: SipRequest, peer: Destination): boolean {
    const { allow, book, registrar } = this.#parts
    if (allow.has(peer.address) || book.at(peer.address).length > 0) return true
    if (book.ofContact(calledUser(request) ?? '').length > 0) return true
    return !withLogin.has(request.method) && registrar.knows(peer)
  }

  #logsIn(request: SipRequest, peer: Destination): boolean {
    const { limits, book } = this.#parts
    // The ACK of a challenge is for nobody.
    if (request.method === 'ACK' && book.hasUsers) return false
    if (!book.hasUsers || !withLogin.has(request.method)) {
      limits.turnAway('stranger')
      return false
    }
    if (!limits.mayGuess(peer)) {
      limits.turnAway('too many logins')
      return false
    }
    const result = this.#auth.verify(request, peer.address)
    if (result.is === 'right') this.#logins.set(request, result.login)
    else this.#refuse(request, peer, result)
    return result.is === 'right'
  }

  #refuse(request: SipRequest, peer: Destination, { is }: AuthResult<TrunkUser>): void {
    if (is === 'right') return
    this.#refused.set(request, is)
    if (is === 'wrong') this.#parts.limits.guessedWrong(peer)
  }
}
