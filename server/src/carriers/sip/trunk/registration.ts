// One binding at a registrar (RFC 3261 §10, RFC 3327, RFC 3608), refreshed before it expires, with its state.
import { ClientAuth } from '../auth/client-auth.ts'
import type { DigestCredentials } from '../auth/digest.ts'
import type { SipCallParts } from '../call/call-parts.ts'
import { type FinalAnswer, retryAfter, sendTo } from '../call/send-request.ts'
import { parseNameAddress } from '../message/headers.ts'
import { elementsOf, headerOf, noBody, type SipRequest, type SipResponse } from '../message/message.ts'
import { parseUri } from '../message/uri.ts'
import type { Destination } from '../transport/transport.ts'

export type RegistrationState =
  | { readonly is: 'registering' }
  | { readonly is: 'registered'; readonly expiresInSeconds: number }
  /** `reason` is one sentence that names the fault. The registration is tried again. */
  | { readonly is: 'failed'; readonly status: number | null; readonly reason: string }
  | { readonly is: 'stopped' }

export interface RegistrationParts extends SipCallParts {
  /** `sip:host[:port][;transport=tcp]` */
  readonly registrar: string
  /** Proxies on the way to the registrar. */
  readonly routes: readonly string[]
  /** The address of record: `sip:user@host`. */
  readonly addressOfRecord: string
  /** The user part of our Contact: calls to it come through this registrar, whatever address they come from. */
  readonly contactUser: string
  readonly credentials: DigestCredentials
  /** The Contact of a process that has died, which is to be removed. */
  readonly former?: string | null
  readonly onState: (state: RegistrationState) => void
}

/** The interval that we ask for: short enough that a registrar that has lost its bindings is noticed within minutes. */
const wantedSeconds = 300
/** The first and the longest pause after a failure. */
const firstPauseMs = 2_000
const longestPauseMs = 120_000

export class Registration {
  readonly #parts: RegistrationParts
  readonly #auth: ClientAuth
  readonly #callId: string
  readonly #tag: string
  #sequence = 0
  #seconds = wantedSeconds
  /** The server that has answered. */
  #server: Destination | null = null
  #failures = 0
  #cancelTimer = () => {}
  #letGo = () => {}
  #isStopped = false
  #former: string | null
  /** The Contact that is registered; null: none yet. */
  contact: string | null = null
  /** Proxies that the registrar wants our calls to go through (RFC 3608). */
  serviceRoutes: readonly string[] = []

  constructor(parts: RegistrationParts) {
    this.#parts = parts
    this.#auth = new ClientAuth(parts.credentials, parts.random)
    this.#former = parts.former ?? null
    this.#callId = parts.random(16)
    this.#tag = parts.random(8)
  }

  start(): void {
    this.#parts.onState({ is: 'registering' })
    void this.#register(this.#seconds)
  }

  /** Removes the binding, so that calls go elsewhere at once. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelTimer()
    this.#letGo()
    await this.#register(0)
    this.#parts.onState({ is: 'stopped' })
  }

  async #register(seconds: number): Promise<void> {
    for (let tries = 0; ; tries++) {
      const response = await this.#ask(seconds)
      if (this.#isStopped && seconds > 0) return
      if (response === 'no-answer') return this.#failed(seconds, null, 'The registrar does not answer.')
      const { status } = response
      if (status < 300) return this.#registered(response, seconds)
      if ((status === 401 || status === 407) && this.#auth.learn(response, tries)) continue
      const least = Number(headerOf(response, 'Min-Expires'))
      if (status === 423 && least > seconds && tries < 4) {
        seconds = this.#seconds = least
        continue
      }
      return this.#failed(
        seconds,
        status,
        `The registrar answered ${status} ${response.reason}.`,
        retryAfter(response),
      )
    }
  }

  /** Sends a REGISTER to the first server that answers. */
  async #ask(seconds: number): Promise<FinalAnswer> {
    const { registrar, route, avoid } = this.#parts
    let last: FinalAnswer = 'no-answer'
    for (const to of await route(this.#request(registrar, seconds), null)) {
      this.#sequence += 1
      last = await this.#send(this.#request(this.#contact(to), seconds), to)
      if (last !== 'no-answer' && last.status !== 503) {
        this.#server = to
        return last
      }
      avoid(to, last === 'no-answer' ? undefined : retryAfter(last))
    }
    return last
  }

  #request(contact: string, seconds: number): SipRequest {
    const { registrar, routes, addressOfRecord } = this.#parts
    return {
      kind: 'request',
      method: 'REGISTER',
      uri: registrar,
      headers: [
        ...routes.map((value) => ({ name: 'Route', value })),
        { name: 'Max-Forwards', value: '70' },
        { name: 'From', value: `<${addressOfRecord}>;tag=${this.#tag}` },
        { name: 'To', value: `<${addressOfRecord}>` },
        { name: 'Call-ID', value: this.#callId },
        { name: 'CSeq', value: `${this.#sequence} REGISTER` },
        { name: 'Contact', value: `<${contact}>;expires=${seconds}` },
        { name: 'Expires', value: String(seconds) },
        { name: 'Supported', value: 'path' },
      ],
      body: noBody,
    }
  }

  #contact(to: Destination): string {
    const user = encodeURIComponent(this.#parts.contactUser)
    return this.#parts.contact(to).replace(/^(sips?:)(?:[^@]*@)?/, `$1${user}@`)
  }

  #send(request: SipRequest, to: Destination): Promise<FinalAnswer> {
    return sendTo(this.#parts, this.#auth.sign(request), to)
  }

  #registered(response: SipResponse, asked: number): void {
    if (asked === 0) return
    this.#failures = 0
    this.serviceRoutes = elementsOf(response, 'Service-Route')
    this.contact = this.#server && this.#contact(this.#server)
    const granted = grantedSeconds(response, asked, this.contact ?? '')
    this.#parts.onState({ is: 'registered', expiresInSeconds: granted })
    this.#keepOpen()
    void this.#forgetFormer()
    // The refresh is early enough for two more tries before the binding expires.
    this.#later(Math.max(granted * 0.75, granted - 60) * 1_000)
  }

  /** Removes the Contact of the former process. The answer does not matter: a binding that stays expires. */
  async #forgetFormer(): Promise<void> {
    const [former, to] = [this.#former, this.#server]
    this.#former = null
    if (former === null || former === this.contact || !to) return
    this.#sequence += 1
    await this.#send(this.#request(former, 0), to)
  }

  /** Keeps the way open that the registration went by, because calls come in by it, and registers anew when it breaks. */
  #keepOpen(): void {
    const { keepAlive, watch } = this.#parts
    const to = this.#server
    this.#letGo()
    if (!to || this.#isStopped) return
    const stops = [keepAlive(to), watch(to, () => this.#lost())]
    this.#letGo = () => {
      for (const stop of stops.splice(0)) stop()
    }
  }

  #lost(): void {
    this.#letGo()
    this.#parts.onState({ is: 'failed', status: null, reason: 'The connection to the registrar was lost.' })
    this.#later(firstPauseMs * this.#jitter())
  }

  #failed(asked: number, status: number | null, reason: string, retryAfterSeconds = 0): void {
    if (asked === 0) return
    this.#parts.onState({ is: 'failed', status, reason })
    const pauseMs = Math.min(firstPauseMs * 2 ** this.#failures++, longestPauseMs) * this.#jitter()
    this.#later(Math.max(pauseMs, Math.min(retryAfterSeconds * 1_000, longestPauseMs)))
  }

  /** A factor between 1 and 1.5, so that all trunks of an installation come back at different moments. */
  #jitter(): number {
    return 1 + Number.parseInt(this.#parts.random(2), 16) / 0xffff / 2
  }

  #later(ms: number): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#parts.after(ms, () => void this.#register(this.#seconds))
  }
}

/** The seconds that are granted for our own Contact among those in the answer, else for the whole answer (§10.2.4). */
function grantedSeconds(response: SipResponse, asked: number, contact: string): number {
  const contacts = elementsOf(response, 'Contact').flatMap((value) => parseNameAddress(value) ?? [])
  const ours =
    contacts.find(({ address }) => isSameAddress(address, contact)) ??
    (contacts.length === 1 ? contacts[0] : undefined)
  const granted = Number(ours?.parameters.get('expires') ?? headerOf(response, 'Expires'))
  return Number.isFinite(granted) && granted > 0 ? granted : asked
}

/** Compares without parameters and default ports, which registrars add. */
function isSameAddress(a: string, b: string): boolean {
  const [one, other] = [parseUri(a), parseUri(b)]
  if (!one || !other || one.scheme === 'tel' || other.scheme === 'tel') return false
  return one.user === other.user && one.host === other.host && (one.port ?? 5_060) === (other.port ?? 5_060)
}
