// What the engine asks of anything that carries a call: the sandbox, a browser, a telephone network.
import type { Frame, RateHz } from '../media/frame.ts'

/** Named as in SDP (RFC 3551): PCMU, PCMA, L16, G722, opus. */
export interface Codec {
  readonly name: string
  readonly rateHz: number
}

export type LineEvent =
  | { readonly type: 'ringing' }
  /** From now on the other side is heard before it answers: a ring-back tone, an announcement. Not the conversation. */
  | { readonly type: 'early-media' }
  | { readonly type: 'answered'; readonly codec: Codec }
  | { readonly type: 'codec-changed'; readonly codec: Codec }
  | { readonly type: 'digit'; readonly digit: string }
  /** The other side put us on hold: what comes until `resumed` is music or silence, and nobody hears us. */
  | { readonly type: 'held' }
  | { readonly type: 'resumed' }
  | { readonly type: 'transfer-progress'; readonly is: TransferProgress }
  /** The last event of a line. None comes after we hung up ourselves. */
  | {
      readonly type: 'ended'
      readonly cause: LineEnd
      /** One sentence, when something went wrong. */
      readonly reason?: string
      readonly carrierCause?: CarrierCause
    }

/** `hangup`: the other side ended an answered call. The others say why a call was not answered, or broke. */
export type LineEnd = 'hangup' | 'busy' | 'no-answer' | 'failed'

/** How the carrier itself puts it: SIP 486 Busy Here, Q.850 16 Normal call clearing. */
export interface CarrierCause {
  readonly protocol: string
  readonly code: number | string
  readonly text: string
}

/** `blind`: the other side is sent to the target and leaves us. `bridged`: we call the target and join the two. */
export type TransferMode = 'blind' | 'bridged'

export interface TransferRequest {
  /** A number in E.164 form, or a SIP address. */
  readonly to: string
  readonly mode: TransferMode
}

/** `trying`: accepted, which is not success. `ringing`: at the target. */
export type TransferProgress = 'trying' | 'ringing'

export type TransferResult =
  /** Blind: the other side talks with the target. The line is ours to hang up. */
  | { readonly is: 'completed' }
  /** The two talk with each other over this line; its frames are the sound of both. It ends when one of them leaves. */
  | { readonly is: 'bridged' }
  /** The call goes on as before. */
  | { readonly is: 'failed'; readonly reason: string; readonly carrierCause?: CarrierCause }

export interface LineAbilities {
  readonly digits: boolean
  readonly hold: boolean
  readonly transfers: readonly TransferMode[]
  readonly earlyMedia: boolean
  readonly codecs: readonly Codec[]
}

export interface LineListener {
  onEvent(event: LineEvent): void
  /** What the other side says; before the answer it is early media. Lent until this returns. */
  onFrame(frame: Frame): void
}

/** A command that a line is not able to do, or that the end of the call overtook, rejects. */
export interface Line {
  readonly rateHz: RateHz
  /** What the carrier calls this call. */
  readonly callSid: string
  readonly can: LineAbilities
  /** One frame every 20 ms from the answer on; copies what it needs, never waits. */
  send(frame: Frame): void
  /** Resolves when the last of them has been sent. Keys: 0-9, *, # and A-D. */
  sendDigits(digits: string): Promise<void>
  /** Resolves when the far end knows. */
  hold(on: boolean): Promise<void>
  /** Resolves with its final result; progress comes as events. */
  transfer(request: TransferRequest): Promise<TransferResult>
  /** No event and no frame comes after it. Before the answer it cancels the call. The reason is for the carrier's records. */
  hangUp(reason?: string): void
}

export interface Dialling {
  readonly sessionId: string
  readonly to: string
  readonly from: string | null
  /** The metadata of the call, as its creator gave it. */
  readonly metadata: unknown
}

export interface Answering {
  readonly sessionId: string
  /** Of the arrival's handover; see arrival.ts. */
  readonly payload: unknown
}

/** Places calls. */
export interface Dialler {
  /** Events come after it returned, never during. */
  dial(call: Dialling, listener: LineListener): Line
}

/** Takes calls that come to us. */
export interface Answerer {
  /** Events come after it returned, never during. */
  answer(call: Answering, listener: LineListener): Line
  /** Releases an arrival that was handed over and not answered. Does nothing once a line was opened from it. */
  refuse(payload: unknown, reason: string): void
}

export interface Carrier extends Partial<Dialler>, Partial<Answerer> {
  /** After the last line has ended. */
  close(): void | Promise<void>
}
