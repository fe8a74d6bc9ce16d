// Answers of ours to an INVITE that are repeated until they are acknowledged: provisional ones by PRACK, one at a time
// (RFC 3262 §3), and the 2xx by ACK.
import { answerTo } from '../message/answer.ts'
import { cseqOf } from '../message/headers.ts'
import { headerOf, type SipResponse } from '../message/message.ts'
import type { IncomingRequest } from '../transactions/endpoint.ts'
import { type After, doubled, doubledToT2, repeatUntilTimeout } from '../transport/timers.ts'

export interface ReliableParts {
  readonly after: After
  readonly random: (bytes: number) => string
  readonly incoming: IncomingRequest
  /** Called if no PRACK comes: the call is to be refused. */
  readonly onTimeout: () => void
}

interface PendingAnswer {
  readonly number: number
  /** Whether it has SDP, which a final answer must not overtake before its PRACK. */
  readonly hasSdp: boolean
  readonly stop: () => void
}

export class ReliableAnswers {
  readonly #parts: ReliableParts
  #number: number
  #unacknowledged: PendingAnswer | null = null
  readonly #waiting: SipResponse[] = []
  #onSettled: (() => void) | null = null

  constructor(parts: ReliableParts) {
    this.#parts = parts
    // RSeq starts between 1 and 2³¹ − 1, with room to count upwards.
    this.#number = Number.parseInt(parts.random(3), 16) + 1
  }

  send(answer: SipResponse): void {
    if (this.#unacknowledged) {
      this.#waiting.push(answer)
      return
    }
    const { after, incoming } = this.#parts
    const number = this.#number++
    const extra = [
      { name: 'Require', value: '100rel' },
      { name: 'RSeq', value: String(number) },
    ]
    const reliable = { ...answer, headers: [...answer.headers, ...extra] }
    incoming.respond(reliable)
    const { onTimeout } = this.#parts
    const stop = repeatUntilTimeout(after, () => incoming.repeat(reliable), doubled, onTimeout)
    this.#unacknowledged = { number, hasSdp: answer.body.length > 0, stop }
  }

  receivePrack({ request, respond }: IncomingRequest): void {
    const [number, sequence] = (headerOf(request, 'RAck') ?? '').split(/\s+/).map(Number)
    const known = this.#unacknowledged
    if (!known || known.number !== number || sequence !== cseqOf(this.#parts.incoming.request)?.number)
      return void respond(answerTo(request, 481))
    // A second offer before the answer is not supported.
    if (request.body.length > 0) return void respond(answerTo(request, 488))
    respond(answerTo(request, 200))
    known.stop()
    this.#unacknowledged = null
    const next = this.#waiting.shift()
    if (next) this.send(next)
    if (this.#unacknowledged) return
    const act = this.#onSettled
    this.#onSettled = null
    act?.()
  }

  /** Calls `act` when the final answer may be sent. Provisional answers that still wait are dropped. */
  whenSettled(act: () => void): void {
    this.#waiting.length = 0
    if (this.#unacknowledged?.hasSdp) this.#onSettled = act
    else act()
  }

  stop(): void {
    this.#unacknowledged?.stop()
    this.#waiting.length = 0
  }
}

export interface UntilAck {
  readonly sequence: number
  acknowledge(): void
  cancel(): void
}

interface UntilAckParts {
  readonly after: After
  readonly sequence: number
  readonly send: () => void
  readonly onAck: () => void
  /** Called after 32 s without an ACK: the call is over. */
  readonly onTimeout: () => void
}

/** Repeats a 2xx until its ACK comes, over every transport: a proxy in between may lose it (RFC 3261 §13.3.1.4). */
export function untilAck({ after, sequence, send, onAck, onTimeout }: UntilAckParts): UntilAck {
  const cancel = repeatUntilTimeout(after, send, doubledToT2, onTimeout)
  return {
    sequence,
    acknowledge() {
      cancel()
      onAck()
    },
    cancel,
  }
}
