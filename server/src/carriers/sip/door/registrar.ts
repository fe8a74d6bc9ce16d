// Telephones register with us (RFC 3261 §10.3), so that agents can call them. Their user is authenticated before.
import type { Telephones } from '../../../ports/telephones.ts'
import { answerTo } from '../message/answer.ts'
import { addressIn, callIdOf, cseqOf, type NameAddress, parseNameAddress } from '../message/headers.ts'
import { elementsOf, type Header, headerOf, type SipRequest } from '../message/message.ts'
import { userOf } from '../message/uri.ts'
import type { IncomingRequest } from '../transactions/endpoint.ts'
import type { After } from '../transport/timers.ts'
import type { Destination } from '../transport/transport.ts'

export interface RegistrarUser {
  readonly numberId: string
  readonly username: string
}

export interface RegistrarParts {
  readonly telephones: Telephones
  readonly now: () => Date
  readonly after: After
  /** Keeps the way to a telephone open until the returned function is called. */
  readonly keepAlive: (to: Destination) => () => void
  readonly onFault: (error: unknown) => void
}

/** The longest registration: a telephone that has vanished is not called for long. */
const longestSeconds = 3_600
/** The shortest registration; more frequent ones are a flood. */
const shortestSeconds = 60

interface Wish {
  readonly contact: NameAddress
  readonly seconds: number
}

export class Registrar {
  readonly #parts: RegistrarParts
  /** Releases the way to each telephone that has registered here. */
  readonly #open = new Map<string, () => void>()

  constructor(parts: RegistrarParts) {
    this.#parts = parts
  }

  /** Whether a telephone has registered from this peer, at this process. */
  knows({ address, port }: Destination): boolean {
    return this.#open.has(`${address} ${port}`)
  }

  receive(incoming: IncomingRequest, user: RegistrarUser): void {
    this.#answer(incoming, user).catch((error: unknown) => {
      this.#parts.onFault(error)
      incoming.respond(answerTo(incoming.request, 500, { tag: incoming.tag }))
    })
  }

  close(): void {
    for (const letGo of this.#open.values()) letGo()
    this.#open.clear()
  }

  async #answer({ request, flow, tag, respond }: IncomingRequest, user: RegistrarUser): Promise<void> {
    const refuse = (status: number, headers: Header[] = []) =>
      respond(answerTo(request, status, { tag, headers }))
    const wanted = addressIn(request, 'To')?.uri
    // A user may register only for itself.
    if (!wanted || userOf(wanted)?.toLowerCase() !== user.username.toLowerCase()) return void refuse(403)
    const wishes = wishesOf(request)
    if (!wishes) return void refuse(400)
    if (wishes !== 'all' && wishes.some(({ seconds }) => seconds > 0 && seconds < shortestSeconds))
      return void refuse(423, [{ name: 'Min-Expires', value: String(shortestSeconds) }])
    const { telephones } = this.#parts
    const { numberId, username } = user
    if (wishes === 'all') await telephones.unbind(numberId, username, null)
    else
      for (const wish of wishes)
        if (!(await this.#apply(request, flow.peer, user, wish))) return void refuse(500)
    const bound = await telephones.of(numberId, username)
    const nowMs = this.#parts.now().getTime()
    const contacts = bound.map(({ contact, expiresAt }) => ({
      name: 'Contact',
      value: `<${contact}>;expires=${Math.ceil((expiresAt.getTime() - nowMs) / 1_000)}`,
    }))
    const date = { name: 'Date', value: this.#parts.now().toUTCString() }
    respond(answerTo(request, 200, { tag, headers: [...contacts, date] }))
  }

  /** False: a later request has been applied already. */
  async #apply(
    request: SipRequest,
    peer: Destination,
    { numberId, username }: RegistrarUser,
    { contact, seconds }: Wish,
  ): Promise<boolean> {
    const { telephones } = this.#parts
    if (seconds === 0) {
      await telephones.unbind(numberId, username, contact.address)
      this.#letGo(peer)
      return true
    }
    const granted = Math.min(seconds, longestSeconds)
    const { transport, address, port } = peer
    const isBound = await telephones.bind({
      numberId,
      username,
      contact: contact.address,
      transport,
      address,
      port,
      expiresAt: new Date(this.#parts.now().getTime() + granted * 1_000),
      callId: callIdOf(request),
      sequence: cseqOf(request)?.number ?? 0,
    })
    if (isBound) this.#hold(peer, granted)
    return isBound
  }

  #hold(peer: Destination, seconds: number): void {
    this.#letGo(peer)
    const stops = [this.#parts.keepAlive(peer), this.#parts.after(seconds * 1_000, () => this.#letGo(peer))]
    this.#open.set(`${peer.address} ${peer.port}`, () => {
      for (const stop of stops) stop()
    })
  }

  #letGo({ address, port }: Destination): void {
    const key = `${address} ${port}`
    this.#open.get(key)?.()
    this.#open.delete(key)
  }
}

/** The bindings that a REGISTER asks for; empty: none. `all`: all are to be removed. null: it cannot be read. */
function wishesOf(request: SipRequest): readonly Wish[] | 'all' | null {
  const written = elementsOf(request, 'Contact')
  const usual = secondsIn(headerOf(request, 'Expires')) ?? longestSeconds
  if (written.some((value) => value.trim() === '*')) return written.length === 1 && usual === 0 ? 'all' : null
  const wishes: Wish[] = []
  for (const value of written) {
    const contact = parseNameAddress(value)
    if (!contact?.uri || contact.uri.scheme === 'tel' || contact.address.length > 500) return null
    wishes.push({ contact, seconds: secondsIn(contact.parameters.get('expires')) ?? usual })
  }
  return wishes.length > 10 ? null : wishes
}

const secondsIn = (text: string | null | undefined): number | null =>
  text != null && /^\d{1,10}$/.test(text) ? Number(text) : null
