// Keeps one binding at a registrar (RFC 3261 §10, RFC 3327, RFC 3608): refreshed before it lapses, and its state visible.
import type { CallParts } from './call-parts.ts'
import { ClientAuth } from './client-auth.ts'
import type { DigestCredentials } from './digest.ts'
import { parseNameAddress } from './headers.ts'
import { headerOf, listOf, noBody, type SipRequest, type SipResponse } from './message.ts'
import type { Destination } from './transport.ts'

export type RegistrationState =
  | { readonly is: 'registering' }
  | { readonly is: 'registered'; readonly expiresInSeconds: number }
  /** One sentence that names the fault. It is tried again. */
  | { readonly is: 'failed'; readonly status: number | null; readonly reason: string }
  | { readonly is: 'stopped' }

export interface RegistrationParts extends CallParts {
  /** `sip:host[:port][;transport=tcp]` */
  readonly registrar: string
  /** The address of record: `sip:user@host`. */
  readonly addressOfRecord: string
  /** The user part of our Contact: calls to it come through this registrar, whatever address they come from. */
  readonly contactUser: string
  readonly credentials: DigestCredentials
  readonly onState: (state: RegistrationState) => void
}

/** Short enough that a registrar that lost its memory is noticed within minutes. */
const wantedSeconds = 300
/** First and longest pause after a failure. */
const firstPauseMs = 2_000
const longestPauseMs = 120_000

export class Registration {
  readonly #parts: RegistrationParts
  readonly #auth: ClientAuth
  readonly #callId: string
  readonly #tag: string
  #sequence = 0
  #seconds = wantedSeconds
  #failures = 0
  #cancelTimer = () => {}
  #isStopped = false
  /** Proxies that the registrar wants our calls to go through (RFC 3608). */
  serviceRoutes: readonly string[] = []

  constructor(parts: RegistrationParts) {
    this.#parts = parts
    this.#auth = new ClientAuth(parts.credentials, parts.random)
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
      return this.#failed(seconds, status, `The registrar answered ${status} ${response.reason}.`)
    }
  }

  async #ask(seconds: number): Promise<SipResponse | 'no-answer'> {
    const { registrar, addressOfRecord } = this.#parts
    const request = (contact: string): SipRequest => ({
      kind: 'request',
      method: 'REGISTER',
      uri: registrar,
      headers: [
        { name: 'Max-Forwards', value: '70' },
        { name: 'From', value: `<${addressOfRecord}>;tag=${this.#tag}` },
        { name: 'To', value: `<${addressOfRecord}>` },
        { name: 'Call-ID', value: this.#callId },
        { name: 'CSeq', value: `${++this.#sequence} REGISTER` },
        { name: 'Contact', value: `<${contact}>;expires=${seconds}` },
        { name: 'Expires', value: String(seconds) },
        { name: 'Supported', value: 'path' },
      ],
      body: noBody,
    })
    const destinations = await this.#parts.route(request(registrar), null)
    for (const to of destinations) {
      const response = await this.#send(request(this.#contact(to)), to)
      if (response !== 'no-answer' && response.status !== 503) return response
    }
    return 'no-answer'
  }

  #contact(to: Destination): string {
    const user = encodeURIComponent(this.#parts.contactUser)
    return this.#parts.contact(to).replace(/^(sips?:)(?:[^@]*@)?/, `$1${user}@`)
  }

  #send(request: SipRequest, to: Destination): Promise<SipResponse | 'no-answer'> {
    return new Promise((resolve) => {
      this.#parts.endpoint.request(this.#auth.sign(request), to, {
        onResponse: (response) => response.status >= 200 && resolve(response),
        onTimeout: () => resolve('no-answer'),
      })
    })
  }

  #registered(response: SipResponse, asked: number): void {
    if (asked === 0) return
    this.#failures = 0
    this.serviceRoutes = listOf(response, 'Service-Route')
    const granted = grantedSeconds(response, asked)
    this.#parts.onState({ is: 'registered', expiresInSeconds: granted })
    // Early enough for two more tries before it lapses.
    this.#later(Math.max(granted * 0.75, granted - 60, 5) * 1_000)
  }

  #failed(asked: number, status: number | null, reason: string): void {
    if (asked === 0) return
    this.#parts.onState({ is: 'failed', status, reason })
    const pause = Math.min(firstPauseMs * 2 ** this.#failures++, longestPauseMs)
    // All trunks of an installation come back at different moments.
    const jitter = 1 + Number.parseInt(this.#parts.random(2), 16) / 0xffff / 2
    this.#later(pause * jitter)
  }

  #later(ms: number): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#parts.after(ms, () => void this.#register(this.#seconds))
  }
}

/** Of our own Contact if the registrar lists several, else of the whole answer. */
function grantedSeconds(response: SipResponse, asked: number): number {
  const ours = listOf(response, 'Contact')
    .map((value) => Number(parseNameAddress(value)?.parameters.get('expires')))
    .filter((seconds) => Number.isFinite(seconds) && seconds > 0)
  const granted = ours.length > 0 ? Math.min(...ours) : Number(headerOf(response, 'Expires'))
  return Number.isFinite(granted) && granted > 0 ? granted : asked
}
