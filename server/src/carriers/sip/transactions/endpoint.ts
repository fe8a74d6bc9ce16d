// Requests in and out over transactions (RFC 3261 §17, §18): repetitions, matching, and refusals that need no call.
import { answerTo } from '../message/answer.ts'
import { callIdOf, optionTags, tagOf, topVia } from '../message/headers.ts'
import { headerOf, printMessage, type SipRequest, type SipResponse } from '../message/message.ts'
import { type ParseFault, parseMessage } from '../message/parse.ts'
import { destinationKey, type Flow } from '../transport/transport.ts'
import { type OutgoingParts, OutgoingRequests } from './outgoing-requests.ts'
import {
  answerDestination,
  faultOf,
  listenerOf,
  mergeKeyOf,
  serverKey,
  withSource,
} from './request-checks.ts'
import { openServer, type ServerTransaction } from './transaction.ts'

export interface EndpointParts extends OutgoingParts {
  /** Whether a request of an unknown transaction is accepted; if not, it is counted, and dropped or challenged. */
  readonly isWelcome: (request: SipRequest, flow: Flow) => boolean
  /** The challenge that a request gets which is not welcome, without a transaction. null, or left out: none. */
  readonly challenge?: (request: SipRequest, flow: Flow) => SipResponse | null
  readonly onRequest: (incoming: IncomingRequest) => void
  /** Called for the ACK of a 2xx, which belongs to a dialog and to no transaction. */
  readonly onAck: (request: SipRequest) => void
}

export interface IncomingRequest {
  readonly request: SipRequest
  readonly flow: Flow
  /** Our tag, for answers to a request without a tag in To. */
  readonly tag: string
  respond(response: SipResponse): void
  /** Sends a 2xx again whose ACK has not come. */
  repeat(response: SipResponse): void
  /** Called when the INVITE is cancelled before its answer; the CANCEL has been answered. */
  onCancel: ((cancel: SipRequest) => void) | null
  /** Called if our refusal is never acknowledged. */
  onTimeout: (() => void) | null
}

/** The extensions that a peer may require of us (§8.2.2.3). */
export const supportedExtensions: readonly string[] = ['100rel', 'timer', 'replaces']

/** Two hundred calls a second make a fifth of these; more are a flood. */
const maxTransactions = 100_000

interface Server {
  readonly transaction: ServerTransaction
  readonly incoming: IncomingRequest
}

export class Endpoint {
  readonly #parts: EndpointParts
  readonly outgoing: OutgoingRequests
  readonly #servers = new Map<string, Server>()
  /** Requests outside of dialogs that are not answered yet, to detect those that arrive by two ways (§8.2.2.2). */
  readonly #merging = new Map<string, string>()

  constructor(parts: EndpointParts) {
    this.#parts = parts
    this.outgoing = new OutgoingRequests(parts)
  }

  /** Counts for metrics of what is never logged line by line. */
  readonly counts = { strangers: 0, malformed: 0, overflown: 0 }

  /** Transactions that are not over. */
  get size(): number {
    return this.outgoing.size + this.#servers.size
  }

  receive(bytes: Uint8Array, flow: Flow): void {
    const message = parseMessage(bytes)
    if (message.kind === 'fault') this.#refuseBroken(message, flow)
    else if (message.kind === 'response') this.outgoing.receive(message, flow)
    else this.#receiveRequest(message, flow)
  }

  close(): void {
    this.outgoing.close()
    for (const { transaction } of [...this.#servers.values()]) transaction.abandon()
  }

  #receiveRequest(received: SipRequest, flow: Flow): void {
    const request = withSource(received, flow)
    if (!request) return void this.counts.malformed++
    const key = serverKey(request)
    const known = this.#servers.get(key)
    if (known) {
      this.#parts.onTrace('in', request, flow.peer)
      if (request.method !== 'ACK') known.transaction.repeat()
      else if (!known.transaction.acknowledge()) this.#parts.onAck(request)
      return
    }
    if (!this.#isOwnCancel(request, flow) && !this.#parts.isWelcome(request, flow))
      return void this.#turnAway(request, flow)
    if (this.#servers.size >= maxTransactions) return void this.counts.overflown++
    this.#parts.onTrace('in', request, flow.peer)
    if (request.method === 'ACK') return void this.#parts.onAck(request)
    const incoming = this.#open(request, flow, key)
    const refusal = this.#refusalOf(incoming, key)
    if (refusal) incoming.respond(refusal)
    else if (request.method === 'CANCEL') this.#receiveCancel(incoming)
    else this.#parts.onRequest(incoming)
  }

  /** A CANCEL cannot be challenged (§22.1), and is accepted from where its INVITE came from. */
  #isOwnCancel(request: SipRequest, { peer }: Flow): boolean {
    if (request.method !== 'CANCEL') return false
    const invite = this.#servers.get(serverKey({ ...request, method: 'INVITE' }))
    return invite !== undefined && destinationKey(invite.incoming.flow.peer) === destinationKey(peer)
  }

  #turnAway(request: SipRequest, flow: Flow): void {
    const challenge = faultOf(request) ? null : this.#parts.challenge?.(request, flow)
    if (challenge) this.#reply(challenge, request, flow)
    else this.counts.strangers++
  }

  #open(request: SipRequest, flow: Flow, key: string): IncomingRequest {
    const mergeKey = mergeKeyOf(request)
    const send = (response: SipResponse) => this.#reply(response, request, flow)
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
      tag: this.#parts.random(8),
      respond: (response) => transaction.respond(response),
      repeat: send,
      onCancel: null,
      onTimeout: null,
    }
    this.#servers.set(key, { transaction, incoming })
    return incoming
  }

  #reply(response: SipResponse, request: SipRequest, flow: Flow): void {
    const bytes = printMessage(response)
    const elsewhere = answerDestination(request, flow)
    this.#parts.onTrace('out', response, elsewhere ?? flow.peer)
    if (elsewhere) return void this.#parts.transports.send(bytes, elsewhere, () => {})
    flow.send(bytes, () => this.#parts.transports.send(bytes, listenerOf(request, flow), () => {}))
  }

  #refusalOf({ request, tag }: IncomingRequest, key: string): SipResponse | null {
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
    if (!invite) return void cancel.respond(answerTo(cancel.request, 481, { tag: cancel.tag }))
    // The same tag as in the answers to the INVITE (§9.2).
    cancel.respond(answerTo(cancel.request, 200, { tag: invite.incoming.tag }))
    if (!invite.transaction.isAnswered) invite.incoming.onCancel?.(cancel.request)
  }

  /** Answers a malformed request only if its sender and transaction can be read. */
  #refuseBroken(fault: ParseFault, flow: Flow): void {
    this.counts.malformed++
    const request = fault.request && withSource(fault.request, flow)
    if (!request || request.method === 'ACK' || !topVia(request)?.parameters.get('branch')) return
    if (!this.#parts.isWelcome(request, flow)) return void this.counts.strangers++
    if (!headerOf(request, 'From') || !headerOf(request, 'To') || !callIdOf(request)) return
    this.#reply(
      answerTo(request, fault.status, { tag: this.#parts.random(8), reason: fault.reason }),
      request,
      flow,
    )
  }
}
