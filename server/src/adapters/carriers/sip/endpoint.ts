// Requests in and out over transactions (RFC 3261 §17, §18): repeats, matching, and the refusals that need no knowledge of calls.
import { answerTo } from './answer.ts'
import { callIdOf, cseqOf, optionTags, parseVia, tagOf, topVia } from './headers.ts'
import { headerOf, listOf, type SipMessage, type SipRequest, type SipResponse, withHeader } from './message.ts'
import { type ParseFault, parseMessage } from './parse.ts'
import { printMessage } from './print.ts'
import { type ClientTransaction, openClient } from './client-transaction.ts'
import { openServer, type ServerTransaction } from './server-transaction.ts'
import type { After } from './timers.ts'
import type { Destination, Flow, Transports } from './transport.ts'
import { parseUri, printHost } from './uri.ts'

export interface EndpointParts {
  readonly transports: Pick<Transports, 'send' | 'localAddress'>
  readonly after: After
  /** Hex digits that nobody can guess, of so many bytes. */
  readonly random: (bytes: number) => string
  /** Whether a stranger's request is dropped without an answer, and counted. */
  readonly isWelcome: (request: SipRequest, flow: Flow) => boolean
  readonly onRequest: (incoming: IncomingRequest) => void
  /** ACK of a 2xx: it belongs to a dialog, not to a transaction. */
  readonly onAck: (request: SipRequest) => void
  /** Every message that is understood, for the record of its call. */
  readonly onTrace: (direction: 'in' | 'out', message: SipMessage, peer: Destination) => void
}

export interface IncomingRequest {
  readonly request: SipRequest
  readonly flow: Flow
  respond(response: SipResponse): void
  /** A 2xx of ours again: its ACK has not come. */
  repeat(response: SipResponse): void
  /** An INVITE of ours was cancelled before it was answered; the 200 of the CANCEL has been sent. */
  onCancel: (() => void) | null
  /** Our refusal was never acknowledged, or our answer could not be delivered. */
  onTimeout: (() => void) | null
}

export interface OutgoingRequest {
  /** As sent: with its Via. CANCEL and ACK of a refusal need the same one. */
  readonly request: SipRequest
  cancelTimers(): void
}

export interface ResponseHandlers {
  onResponse(response: SipResponse): void
  onTimeout(): void
}

/** §8.2.2.3: what a peer may require of us. */
export const supportedExtensions: readonly string[] = ['100rel', 'timer', 'replaces']

const branchCookie = 'z9hG4bK'

interface Server {
  readonly transaction: ServerTransaction
  readonly incoming: IncomingRequest
  readonly mergeKey: string
}

export class Endpoint {
  readonly #parts: EndpointParts
  readonly #clients = new Map<string, ClientTransaction>()
  readonly #servers = new Map<string, Server>()
  /** Requests outside of dialogs that are being worked on, to find those that arrive by two ways (§8.2.2.2). */
  readonly #merging = new Map<string, string>()

  constructor(parts: EndpointParts) {
    this.#parts = parts
  }

  /** Transactions that are not over; for tests and metrics. */
  get size(): number {
    return this.#clients.size + this.#servers.size
  }

  receive(bytes: Uint8Array, flow: Flow): void {
    const message = parseMessage(bytes)
    if (message.kind === 'fault') this.#refuseBroken(message, flow)
    else if (message.kind === 'response') this.#receiveResponse(message, flow)
    else this.#receiveRequest(message, flow)
  }

  /** Sends a request in a transaction of its own. */
  request(request: SipRequest, to: Destination, handlers: ResponseHandlers): OutgoingRequest {
    const branch = `${branchCookie}${this.#parts.random(12)}`
    const sent = this.#withVia(request, to, branch)
    const transaction = this.#ask(sent, branch, to, handlers)
    return { request: sent, cancelTimers: () => transaction.abandon() }
  }

  /** CANCEL has the Via of the INVITE that it cancels, and a transaction of its own (§9.1). */
  cancel(invite: SipRequest, to: Destination, handlers: ResponseHandlers): void {
    const keep = new Set(['Via', 'Route', 'From', 'To', 'Call-ID', 'Max-Forwards'])
    const sequence = cseqOf(invite)?.number ?? 1
    const request: SipRequest = {
      kind: 'request',
      method: 'CANCEL',
      uri: invite.uri,
      headers: [
        ...invite.headers.filter(({ name }) => keep.has(name)),
        { name: 'CSeq', value: `${sequence} CANCEL` },
      ],
      body: new Uint8Array(0),
    }
    this.#ask(request, topVia(invite)?.parameters.get('branch') ?? '', to, handlers)
  }

  /** Once, without waiting for anything: the ACK of a 2xx, repeated by the dialog when the 2xx is. */
  sendOnce(request: SipRequest, to: Destination): void {
    this.#send(this.#withVia(request, to, `${branchCookie}${this.#parts.random(12)}`), to, () => {})
  }

  close(): void {
    for (const transaction of [...this.#clients.values()]) transaction.abandon()
    for (const { transaction } of [...this.#servers.values()]) transaction.abandon()
  }

  #ask(request: SipRequest, branch: string, to: Destination, handlers: ResponseHandlers): ClientTransaction {
    const key = clientKey(branch, request.method)
    const transaction: ClientTransaction = openClient({
      request,
      reliable: to.transport !== 'udp',
      send: (message) => this.#send(message, to, () => transaction.fail()),
      after: this.#parts.after,
      onResponse: (response) => handlers.onResponse(response),
      onTimeout: () => handlers.onTimeout(),
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

  #receiveResponse(response: SipResponse, flow: Flow): void {
    const branch = topVia(response)?.parameters.get('branch')
    const transaction = this.#clients.get(clientKey(branch ?? '', cseqOf(response)?.method ?? ''))
    // A 2xx that comes after its transaction has ended is nobody's: the caller has long given up.
    if (!transaction) return
    this.#parts.onTrace('in', response, flow.peer)
    transaction.receive(response)
  }

  #receiveRequest(received: SipRequest, flow: Flow): void {
    const request = withSource(received, flow)
    if (!request) return
    const key = serverKey(request)
    const known = this.#servers.get(key)
    if (known) {
      this.#parts.onTrace('in', request, flow.peer)
      if (request.method === 'ACK') known.transaction.acknowledge()
      else known.transaction.repeat()
      return
    }
    if (!this.#parts.isWelcome(request, flow)) return
    this.#parts.onTrace('in', request, flow.peer)
    if (request.method === 'ACK') {
      this.#parts.onAck(request)
      return
    }
    const incoming = this.#open(request, flow, key)
    const refusal = this.#refusalOf(request, key)
    if (refusal) incoming.respond(refusal)
    else if (request.method === 'CANCEL') this.#receiveCancel(incoming)
    else this.#parts.onRequest(incoming)
  }

  #open(request: SipRequest, flow: Flow, key: string): IncomingRequest {
    const mergeKey = mergeKeyOf(request)
    const send = (response: SipResponse) => {
      this.#parts.onTrace('out', response, flow.peer)
      flow.send(printMessage(response))
    }
    const transaction = openServer({
      request,
      reliable: flow.peer.transport !== 'udp',
      send,
      after: this.#parts.after,
      onTimeout: () => incoming.onTimeout?.(),
      onTerminated: () => {
        this.#servers.delete(key)
        if (this.#merging.get(mergeKey) === key) this.#merging.delete(mergeKey)
      },
    })
    const incoming: IncomingRequest = {
      request,
      flow,
      respond: (response) => transaction.respond(response),
      repeat: send,
      onCancel: null,
      onTimeout: null,
    }
    this.#servers.set(key, { transaction, incoming, mergeKey })
    return incoming
  }

  #refusalOf(request: SipRequest, key: string): SipResponse | null {
    const tag = this.#parts.random(8)
    const fault = faultOf(request)
    if (fault) return answerTo(request, fault.status, { tag, ...(fault.reason && { reason: fault.reason }) })
    if (request.method === 'CANCEL') return null
    if (tagOf(request, 'To') === null) {
      const mergeKey = mergeKeyOf(request)
      const first = this.#merging.get(mergeKey)
      if (first !== undefined && first !== key) return answerTo(request, 482, { tag })
      this.#merging.set(mergeKey, key)
    }
    const unknown = optionTags(request, 'Require').filter((option) => !supportedExtensions.includes(option))
    if (unknown.length === 0) return null
    return answerTo(request, 420, { tag, headers: [{ name: 'Unsupported', value: unknown.join(', ') }] })
  }

  #receiveCancel(cancel: IncomingRequest): void {
    const invite = this.#servers.get(serverKey({ ...cancel.request, method: 'INVITE' }))
    const tag = this.#parts.random(8)
    if (!invite) {
      cancel.respond(answerTo(cancel.request, 481, { tag }))
      return
    }
    cancel.respond(answerTo(cancel.request, 200, { tag }))
    if (!invite.transaction.isAnswered) invite.incoming.onCancel?.()
  }

  /** Only a request whose sender and transaction can be read gets an answer. */
  #refuseBroken(fault: ParseFault, flow: Flow): void {
    const request = fault.request && withSource(fault.request, flow)
    if (!request || request.method === 'ACK' || !topVia(request)?.parameters.get('branch')) return
    if (!this.#parts.isWelcome(request, flow)) return
    if (!headerOf(request, 'From') || !headerOf(request, 'To') || !callIdOf(request)) return
    flow.send(printMessage(answerTo(request, fault.status, { tag: this.#parts.random(8), reason: fault.reason })))
  }
}

const clientKey = (branch: string, method: string): string => `${branch} ${method}`

/** §17.2.3: branch, sent-by and method; an ACK belongs to its INVITE. Without the cookie a peer of RFC 2543. */
function serverKey(request: SipRequest): string {
  const via = topVia(request)
  const branch = via?.parameters.get('branch') ?? ''
  const method = request.method === 'ACK' ? 'INVITE' : request.method
  if (branch.startsWith(branchCookie)) return `${branch} ${via?.host}:${via?.port ?? ''} ${method}`
  const sequence = cseqOf(request)?.number ?? ''
  return `${callIdOf(request)} ${tagOf(request, 'From') ?? ''} ${sequence} ${via?.host} ${method}`
}

const mergeKeyOf = (request: SipRequest): string =>
  `${callIdOf(request)}\n${tagOf(request, 'From') ?? ''}\n${headerOf(request, 'CSeq')}`

/** Adds where the request really came from to its topmost Via (§18.2.1, RFC 3581). null: there is no Via to answer to. */
function withSource(request: SipRequest, flow: Flow): SipRequest | null {
  const first = listOf(request, 'Via')[0]
  const via = first === undefined ? null : parseVia(first)
  if (first === undefined || !via) return null
  let value = first.replace(/;\s*(?:received|rport)(?:=[^;]*)?(?=;|$)/gi, '')
  if (via.parameters.has('rport')) value += `;rport=${flow.peer.port}`
  value += `;received=${flow.peer.address}`
  const rest = listOf(request, 'Via').slice(1)
  const others = request.headers.filter(({ name }) => name !== 'Via')
  return {
    ...request,
    headers: [value, ...rest].map((line) => ({ name: 'Via', value: line })).concat(others),
  }
}

/** What every request must have (§8.1.1), and addresses that we can serve. */
function faultOf(request: SipRequest): { status: number; reason?: string } | null {
  for (const name of ['From', 'To', 'Call-ID', 'CSeq'])
    if (!headerOf(request, name)) return { status: 400, reason: `Missing ${name}` }
  for (const name of ['From', 'To', 'Call-ID', 'CSeq'])
    if (request.headers.filter((header) => header.name === name).length > 1)
      return { status: 400, reason: `More Than One ${name}` }
  const sequence = cseqOf(request)
  if (!sequence) return { status: 400, reason: 'Malformed CSeq' }
  if (sequence.method !== request.method) return { status: 400, reason: 'CSeq Of Another Method' }
  if (!/^(?:sips?|tel):/i.test(request.uri)) return { status: 416 }
  if (!parseUri(request.uri)) return { status: 400, reason: 'Malformed Request-URI' }
  return null
}

/** Without its Via: for a request that is sent again with another number, to another place. */
export const withoutVia = (request: SipRequest): SipRequest => ({
  ...request,
  headers: request.headers.filter(({ name }) => name !== 'Via'),
})

export const withSequence = (request: SipRequest, sequence: number): SipRequest =>
  withHeader(request, 'CSeq', `${sequence} ${request.method}`)
