// What the engine asks of anything that carries a call: the sandbox, a browser, a telephone network.
import type { Frame, RateHz } from '../media/frame.ts'

export type LineEvent =
  | { readonly type: 'ringing' }
  | { readonly type: 'answered' }
  | { readonly type: 'digit'; readonly digit: string }
  /** The last event of a line, unless we hung up ourselves: then none comes. */
  | { readonly type: 'ended'; readonly cause: LineEnd; readonly reason?: string }

/** `hangup`: the other side ended an answered call. The others say why a call never was, or no longer is. */
export type LineEnd = 'hangup' | 'busy' | 'no-answer' | 'failed'

export interface LineListener {
  onEvent(event: LineEvent): void
  /** What the other side says, from the answer on; lent until this returns. */
  onFrame(frame: Frame): void
}

export interface Line {
  readonly rateHz: RateHz
  /** What the carrier calls this call. */
  readonly callSid: string
  /** One frame every 20 ms from the answer on; copies what it needs, never waits. */
  send(frame: Frame): void
  /** No event and no frame comes after it. Also before the answer: then nobody is called any more. */
  hangUp(): void
}

export interface Dialling {
  readonly sessionId: string
  readonly to: string
  readonly from: string | null
  /** Whatever whoever placed the call gave with it. */
  readonly metadata: unknown
}

export interface Carrier {
  readonly name: string
  /** Events come after it returned, never during. */
  dial(call: Dialling, listener: LineListener): Line
}
