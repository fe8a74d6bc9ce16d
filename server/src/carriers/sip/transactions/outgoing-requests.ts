// Requests of ours and their answers, each in a client transaction (RFC 3261 §17.1, §18.1).
import { cseqOf, topVia } from '../message/headers.ts'
import {
  elementsOf,
  type Header,
  printMessage,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../message/message.ts'
import { printHost } from '../message/uri.ts'
import type { After } from '../transport/timers.ts'
import type { Destination, Flow, Transports } from '../transport/transport.ts'
import { branchCookie } from './request-checks.ts'
import { type ClientTransaction, openClient } from './transaction.ts'

export interface OutgoingParts {
  readonly transports: Pick<Transports, 'send' | 'localAddress'>
  readonly after: After
  /** Unpredictable bytes, in hexadecimal digits. */
  readonly random: (bytes: number) => string
  /** Called for every message that is understood, for the record of its call. */
  readonly onTrace: (direction: 'in' | 'out', message: SipMessage, peer: Destination) => void
}

export interface OutgoingRequest {
  /** The request as sent, with its Via, which CANCEL and the ACK of a refusal repeat. */
  readonly request: SipRequest
  /** Where it was sent: a large request goes by TCP although UDP was asked for. */
  readonly to: Destination
  cancelTimers(): void
}

export interface ResponseHandlers {
  onResponse(response: SipResponse): void
  onTimeout(): void
}

interface AskHandlers extends ResponseHandlers {
  /** Called instead of `onTimeout` if the transport failed. */
  onTransportFailure?(): void
}

const placeOf = ({ address, port }: Destination): string => `${address} ${port}`

const clientKey = (branch: string, method: string): string => `${branch} ${method}`

/** A larger request over UDP would be fragmented, and firewalls drop fragments (§18.1.1). */
const maxDatagramBytes = 1_300
/** How long a peer without TCP is not tried by TCP again: a firewall that drops the attempt costs 4 s each time. */
const withoutTcpMs = 600_000

export class OutgoingRequests {
  readonly #parts: OutgoingParts
  readonly #clients = new Map<string, ClientTransaction>()
  /** Peers without TCP, which get large requests by UDP. */
  readonly #withoutTcp = new Set<string>()

  constructor(parts: OutgoingParts) {
    this.#parts = parts
  }

  get size(): number {
    return this.#clients.size
  }

  /** Sends a request in a transaction of its own. */
  request(request: SipRequest, to: Destination, handlers: ResponseHandlers): OutgoingRequest {
    const branch = `${branchCookie}${this.#parts.random(12)}`
    const direct = this.#withVia(request, to, branch)
    const isLarge = to.transport === 'udp' && printMessage(direct).length > maxDatagramBytes
    if (!isLarge || this.#withoutTcp.has(placeOf(to))) return this.#outgoing(direct, branch, to, handlers)
    return this.#requestByTcp(request, to, branch, handlers)
  }

  /** Sends by TCP, and by UDP if the connection fails before an answer: the peer has then not seen the request. */
  #requestByTcp(
    request: SipRequest,
    to: Destination,
    branch: string,
    handlers: ResponseHandlers,
  ): OutgoingRequest {
    const byTcp: Destination = { ...to, transport: 'tcp' }
    let isHeard = false
    let current = this.#outgoing(this.#withVia(request, byTcp, branch), branch, byTcp, {
      onResponse: (response) => {
        isHeard = true
        handlers.onResponse(response)
      },
      onTimeout: () => handlers.onTimeout(),
      onTransportFailure: () => {
        if (isHeard) return handlers.onTimeout()
        this.#withoutTcp.add(placeOf(to))
        this.#parts.after(withoutTcpMs, () => this.#withoutTcp.delete(placeOf(to)))
        current = this.#outgoing(this.#withVia(request, to, branch), branch, to, handlers)
      },
    })
    return {
      get request() {
        return current.request
      },
      get to() {
        return current.to
      },
      cancelTimers: () => current.cancelTimers(),
    }
  }

  /** Sends a CANCEL. It has the Via of the INVITE that it cancels, and a transaction of its own (§9.1). */
  cancel(
    invite: SipRequest,
    to: Destination,
    handlers: ResponseHandlers,
    headers: readonly Header[] = [],
  ): void {
    const keep = new Set(['Via', 'Route', 'From', 'To', 'Call-ID', 'Max-Forwards'])
    const sequence = cseqOf(invite)?.number ?? 1
    const request: SipRequest = {
      kind: 'request',
      method: 'CANCEL',
      uri: invite.uri,
      headers: [
        ...invite.headers.filter(({ name }) => keep.has(name)),
        { name: 'CSeq', value: `${sequence} CANCEL` },
        ...headers,
      ],
      body: new Uint8Array(0),
    }
    this.#ask(request, topVia(invite)?.parameters.get('branch') ?? '', to, handlers)
  }

  /** Sends the ACK of a 2xx, which has no answer. Returns how to send the same again when the 2xx is repeated. */
  sendOnce(request: SipRequest, to: Destination): () => void {
    const sent = this.#withVia(request, to, `${branchCookie}${this.#parts.random(12)}`)
    const send = () => this.#send(sent, to, () => {})
    send()
    return send
  }

  /** Gives an answer to its transaction; an answer to none of our requests is dropped. */
  receive(response: SipResponse, flow: Flow): void {
    const branch = topVia(response)?.parameters.get('branch')
    const transaction = this.#clients.get(clientKey(branch ?? '', cseqOf(response)?.method ?? ''))
    // A 2xx after the end of its transaction is dropped: the caller has long given up. A response with two Vias was sent
    // to the wrong place (§8.1.3.3).
    if (!transaction || elementsOf(response, 'Via').length > 1) return
    this.#parts.onTrace('in', response, flow.peer)
    transaction.receive(response)
  }

  close(): void {
    for (const transaction of [...this.#clients.values()]) transaction.abandon()
  }

  #outgoing(request: SipRequest, branch: string, to: Destination, handlers: AskHandlers): OutgoingRequest {
    const transaction = this.#ask(request, branch, to, handlers)
    return { request, to, cancelTimers: () => transaction.abandon() }
  }

  #ask(request: SipRequest, branch: string, to: Destination, handlers: AskHandlers): ClientTransaction {
    const key = clientKey(branch, request.method)
    let hasFailed = false
    const transaction: ClientTransaction = openClient({
      request,
      reliable: to.transport !== 'udp',
      send: (message) =>
        this.#send(message, to, () => {
          hasFailed = true
          transaction.fail()
        }),
      after: this.#parts.after,
      onResponse: (response) => handlers.onResponse(response),
      onTimeout: () =>
        hasFailed && handlers.onTransportFailure ? handlers.onTransportFailure() : handlers.onTimeout(),
      onTerminated: () => this.#clients.delete(key),
    })
    this.#clients.set(key, transaction)
    return transaction
  }

  #withVia(request: SipRequest, to: Destination, branch: string): SipRequest {
    const { host, port } = this.#parts.transports.localAddress(to)
    const via = `SIP/2.0/${to.transport.toUpperCase()} ${printHost(host)}:${port};branch=${branch};rport`
    return { ...request, headers: [{ name: 'Via', value: via }, ...request.headers] }
  }

  #send(message: SipMessage, to: Destination, onFailure: () => void): void {
    this.#parts.onTrace('out', message, to)
    this.#parts.transports.send(printMessage(message), to, onFailure)
  }
}
