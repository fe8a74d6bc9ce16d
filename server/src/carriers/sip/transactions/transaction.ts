// Transactions (RFC 3261 §17, RFC 6026). A client repeats its request until it is answered, and reports each answer once;
// a server reports its request once, and gives a repeated one the last answer again.
import { headersOf, type SipRequest, type SipResponse } from '../message/message.ts'
import {
  type After,
  doubled,
  doubledToT2,
  giveUpAfter,
  type NextInterval,
  repeat,
  t2,
  t4,
  timerD,
} from '../transport/timers.ts'

export interface ClientParts {
  readonly request: SipRequest
  /** Whether the transport is reliable: TCP and TLS retransmit by themselves. */
  readonly reliable: boolean
  readonly send: (request: SipRequest) => void
  readonly after: After
  /** Called for provisional and final answers; for an INVITE also for every further 2xx, of another fork or repeated. */
  readonly onResponse: (response: SipResponse) => void
  /** Called if there is no final answer in 32 s, or the transport fails. */
  readonly onTimeout: () => void
  readonly onTerminated: () => void
}

export interface ClientTransaction {
  receive(response: SipResponse): void
  /** The transport could not send, which is reported like a missing answer. */
  fail(): void
  /** Ends the transaction without a report. */
  abandon(): void
}

type State = 'trying' | 'proceeding' | 'accepted' | 'completed' | 'terminated'

export const openClient = (parts: ClientParts): ClientTransaction =>
  parts.request.method === 'INVITE' ? new InviteClient(parts) : new OtherClient(parts)

abstract class Client implements ClientTransaction {
  protected state: State = 'trying'
  protected readonly parts: ClientParts
  #cancels: (() => void)[] = []

  constructor(parts: ClientParts, nextInterval: NextInterval) {
    this.parts = parts
    const { request, send, after, reliable } = parts
    send(request)
    if (!reliable) this.onLeave(repeat(after, () => send(request), nextInterval))
    this.onLeave(after(giveUpAfter, () => this.#giveUp()))
  }

  abstract receive(response: SipResponse): void

  fail(): void {
    if (this.state === 'trying' || this.state === 'proceeding') this.#giveUp()
  }

  abandon(): void {
    this.enter('terminated')
  }

  /** Adds what is cancelled when the state is left: timers end with their state. */
  protected onLeave(cancel: () => void): void {
    this.#cancels.push(cancel)
  }

  protected enter(state: State): void {
    for (const cancel of this.#cancels) cancel()
    this.#cancels = []
    this.state = state
    if (state === 'terminated') this.parts.onTerminated()
  }

  /** Stays in a state for a while to absorb repetitions, then ends. */
  protected lingerAs(state: State, ms: number): void {
    this.enter(state)
    if (ms === 0) this.enter('terminated')
    else this.onLeave(this.parts.after(ms, () => this.enter('terminated')))
  }

  #giveUp(): void {
    this.enter('terminated')
    this.parts.onTimeout()
  }
}

class InviteClient extends Client {
  constructor(parts: ClientParts) {
    super(parts, doubled)
  }

  receive(response: SipResponse): void {
    if (this.state === 'completed') {
      if (response.status >= 300) this.#acknowledge(response)
      return
    }
    if (this.state === 'accepted') {
      if (response.status >= 200 && response.status < 300) this.parts.onResponse(response)
      return
    }
    if (this.state === 'terminated') return
    if (response.status < 200) {
      // No timer runs from here on: the call may ring for as long as its caller wants.
      if (this.state === 'trying') this.enter('proceeding')
    } else if (response.status < 300) this.lingerAs('accepted', giveUpAfter)
    else {
      this.#acknowledge(response)
      this.lingerAs('completed', this.parts.reliable ? 0 : timerD)
    }
    this.parts.onResponse(response)
  }

  /** Refusals are acknowledged hop by hop, by the transaction itself (§17.1.1.3). */
  #acknowledge(response: SipResponse): void {
    this.parts.send(acknowledgement(this.parts.request, response))
  }
}

class OtherClient extends Client {
  constructor(parts: ClientParts) {
    // Timer E: after a provisional answer every 4 s, whatever the interval was (§17.1.2.2).
    super(parts, (intervalMs) => (this.state === 'proceeding' ? t2 : doubledToT2(intervalMs)))
  }

  receive(response: SipResponse): void {
    if (this.state === 'completed' || this.state === 'terminated') return
    // The request is still repeated, and given up at the same moment as without a provisional answer.
    if (response.status < 200) this.state = 'proceeding'
    else this.lingerAs('completed', this.parts.reliable ? 0 : t4)
    this.parts.onResponse(response)
  }
}

/** The ACK of a refusal has the INVITE's Via, Route and CSeq number, and the answer's To. */
function acknowledgement(invite: SipRequest, response: SipResponse): SipRequest {
  const from = (message: SipRequest | SipResponse, name: string) =>
    headersOf(message, name).map((value) => ({ name, value }))
  const [via] = from(invite, 'Via')
  const cseq = (headersOf(invite, 'CSeq')[0] ?? '1').split(/\s+/)[0]
  return {
    kind: 'request',
    method: 'ACK',
    uri: invite.uri,
    headers: [
      ...(via ? [via] : []),
      { name: 'Max-Forwards', value: '70' },
      ...from(invite, 'Route'),
      ...from(invite, 'From'),
      ...from(response, 'To'),
      ...from(invite, 'Call-ID'),
      { name: 'CSeq', value: `${cseq} ACK` },
    ],
    body: new Uint8Array(0),
  }
}

interface ServerParts {
  readonly request: SipRequest
  readonly reliable: boolean
  readonly send: (response: SipResponse) => void
  readonly after: After
  /** Called if our refusal of an INVITE is never acknowledged. */
  readonly onTimeout: () => void
  readonly onTerminated: () => void
}

export interface ServerTransaction {
  /** Whether a final answer has been given. */
  readonly isAnswered: boolean
  respond(response: SipResponse): void
  /** The request came again. */
  repeat(): void
  /** An ACK with the branch of the INVITE came. False: it acknowledges a 2xx, and is for the dialog (RFC 6026 §7.1). */
  acknowledge(): boolean
  abandon(): void
}

type ServerState = 'proceeding' | 'accepted' | 'completed' | 'confirmed' | 'terminated'

export function openServer(parts: ServerParts): ServerTransaction {
  const isInvite = parts.request.method === 'INVITE'
  let state: ServerState = 'proceeding'
  let last: SipResponse | null = null
  let cancels: (() => void)[] = []

  const enter = (next: ServerState) => {
    for (const cancel of cancels) cancel()
    cancels = []
    state = next
    if (next === 'terminated') parts.onTerminated()
  }
  const lingerAs = (next: ServerState, ms: number) => {
    enter(next)
    if (ms === 0) enter('terminated')
    else cancels.push(parts.after(ms, () => enter('terminated')))
  }
  /** A refusal is repeated until its ACK comes, over transports that may lose it (§17.2.1). */
  const refuse = (response: SipResponse) => {
    enter('completed')
    if (!parts.reliable) cancels.push(repeat(parts.after, () => parts.send(response), doubledToT2))
    cancels.push(
      parts.after(giveUpAfter, () => {
        enter('terminated')
        parts.onTimeout()
      }),
    )
  }

  return {
    get isAnswered() {
      return state !== 'proceeding'
    },
    respond(response) {
      if (state !== 'proceeding') return
      last = response
      parts.send(response)
      if (response.status < 200) return
      if (!isInvite) lingerAs('completed', parts.reliable ? 0 : giveUpAfter)
      // The dialog repeats a 2xx, because only it sees the ACK (§13.3.1.4).
      else if (response.status < 300) lingerAs('accepted', giveUpAfter)
      else refuse(response)
    },
    repeat() {
      if (last && (state === 'proceeding' || state === 'completed')) parts.send(last)
    },
    acknowledge() {
      if (state === 'completed' && isInvite) lingerAs('confirmed', parts.reliable ? 0 : t4)
      return state !== 'accepted'
    },
    abandon() {
      if (state !== 'terminated') enter('terminated')
    },
  }
}
