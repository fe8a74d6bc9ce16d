// The SIP messages of each call, kept in memory while it lasts: bounded, and without secrets.
import { RecentMap } from '../../../platform/bounded-map.ts'
import type { Signalling, SignallingMessage } from '../../../ports/signalling.ts'
import { callIdOf, tagOf } from '../message/headers.ts'
import { type Header, noBody, printMessage, type SipMessage } from '../message/message.ts'
import { printHost } from '../message/uri.ts'
import type { Destination } from './transport.ts'

/** A set-up with challenges takes ten messages, an hour of session refreshes another ten. */
const mostMessages = 100
/** The longest text of one message; those in datagrams are shorter. */
const mostCharacters = 8_000
/** The most calls that are traced. INVITEs that never became a call stay until they are the oldest. */
const mostCalls = 5_000

const secretHeaders = new Set(['Authorization', 'Proxy-Authorization'])
const removed = '(removed)'

interface CallTrace {
  readonly messages: SignallingMessage[]
  leftOut: number
}

export class Trace {
  readonly #calls = new RecentMap<string, CallTrace>(mostCalls)
  readonly #isSecret: (headerName: string) => boolean

  /** `isSecret` names further headers whose values are not kept: those that trunks are sent by setting. */
  constructor(isSecret: (headerName: string) => boolean) {
    this.#isSecret = isSecret
  }

  add(direction: 'in' | 'out', message: SipMessage, peer: Destination, at: Date): void {
    const callId = callIdOf(message)
    const kept = this.#calls.get(callId) ?? this.#begin(callId, message)
    if (!kept) return
    if (kept.messages.length >= mostMessages) {
      kept.leftOut += 1
      return
    }
    const { transport, address, port } = peer
    const text = this.#textOf(message)
    kept.messages.push({ at, direction, transport, peer: `${printHost(address)}:${port}`, text })
  }

  /** Returns the messages of a call and forgets them. */
  take(callId: string): Signalling {
    const kept = this.#calls.get(callId)
    this.#calls.delete(callId)
    return kept ?? { messages: [], leftOut: 0 }
  }

  /** Only calls are traced, which begin with an INVITE; registrations and pings have no record. */
  #begin(callId: string, message: SipMessage): CallTrace | null {
    if (message.kind !== 'request' || message.method !== 'INVITE' || tagOf(message, 'To') !== null)
      return null
    const kept: CallTrace = { messages: [], leftOut: 0 }
    this.#calls.set(callId, kept)
    return kept
  }

  #textOf(message: SipMessage): string {
    const headers = message.headers.map((header) => this.#withoutSecret(header))
    const head = decoder.decode(printMessage({ ...message, headers, body: noBody }))
    const body = decoder
      .decode(message.body)
      .replace(/\binline:[^\s;|]+/g, `inline:${removed}`)
      .replace(/^a=ice-pwd:.*$/gm, `a=ice-pwd:${removed}`)
    // Content-Length states what was really sent.
    const text = head.replace(/^Content-Length: *0/im, `Content-Length: ${message.body.length}`) + body
    return text.slice(0, mostCharacters)
  }

  #withoutSecret({ name, value }: Header): Header {
    return secretHeaders.has(name) || this.#isSecret(name) ? { name, value: removed } : { name, value }
  }
}

const decoder = new TextDecoder()
