// The port for whatever carries a call: the sandbox, a browser, a telephone network.
import type { Frame, RateHz } from '../media/frame.ts'

/** Named as in SDP (RFC 3551): PCMU, PCMA, L16, G722, opus. */
export interface Codec {
  readonly name: string
  readonly rateHz: number
}

export type LineEvent =
  | { readonly type: 'ringing' }
  /** From now on early media is heard: a ring-back tone, an announcement. Not the conversation. */
  | { readonly type: 'early-media' }
  | { readonly type: 'answered'; readonly codec: Codec }
  | { readonly type: 'codec-changed'; readonly codec: Codec }
  | { readonly type: 'digit'; readonly digit: string }
  /** The other side put us on hold: until `resumed`, incoming audio is music or silence, and we are not heard. */
  | { readonly type: 'held' }
  | { readonly type: 'resumed' }
  | { readonly type: 'transfer-progress'; readonly is: TransferProgress }
  /** The last event of a line. None follows our own hang-up. */
  | {
      readonly type: 'ended'
      readonly cause: LineEnd
      /** One sentence, when something went wrong. */
      readonly reason?: string
      readonly carrierCause?: CarrierCause
    }

/** `hangup`: the other side ended an answered call. The others say why a call was not answered, or broke. */
export type LineEnd = 'hangup' | 'busy' | 'no-answer' | 'failed'

/** The carrier's own cause: SIP 486 Busy Here, Q.850 16 Normal call clearing. */
export interface CarrierCause {
  readonly protocol: string
  readonly code: number | string
  readonly text: string
}

/** `blind`: the other side is sent to the target and leaves us. `bridged`: we call the target and connect the two. */
export type TransferMode = 'blind' | 'bridged'

export interface TransferRequest {
  /** A number in E.164 form, or a SIP address. */
  readonly to: string
  readonly mode: TransferMode
}

/** `trying`: accepted, not yet successful. `ringing`: at the target. */
export type TransferProgress = 'trying' | 'ringing'

export type TransferResult =
  /** Blind: the other side is connected to the target. The line is ours to hang up. */
  | { readonly is: 'completed' }
  /** The two talk over this line, whose frames carry the audio of both. It ends when one of them leaves. */
  | { readonly is: 'bridged' }
  /** The call continues as before. */
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
  /** The other side's audio; before the answer it is early media. Lent until this returns. */
  onFrame(frame: Frame): void
}

/** How well the sound of a line travelled, both ways. */
export interface LineQuality {
  readonly packetsReceived: number
  readonly packetsLost: number
  readonly packetsSent: number
  /** Of what we sent, by the other side's last report; null: it reports nothing. */
  readonly farLossShare: number | null
  readonly jitterMs: number
  readonly roundTripMs: number | null
  /** Sound that was missing and made up. */
  readonly concealedMs: number
  /** Mean opinion score, 1 to 4.5. */
  readonly opinionScore: number
}

/** A command rejects when the line lacks the ability or the call ends first. */
export interface Line {
  readonly rateHz: RateHz
  /** The carrier's id of this call. */
  readonly callSid: string
  readonly can: LineAbilities
  /** As measured so far, also after the end; absent: this line does not measure. */
  readonly quality?: LineQuality | null
  /** The agent can speak. A line that came in is answered now; until then the caller hears it ring. Called once. */
  pickUp?(): void
  /** One frame every 20 ms from the answer on; copies what it needs, never blocks. */
  send(frame: Frame): void
  /** Resolves when the last one has been sent. Keys: 0-9, *, # and A-D. */
  sendDigits(digits: string): Promise<void>
  /** Resolves when the far end has been notified. */
  hold(on: boolean): Promise<void>
  /** Resolves with the final result; progress comes as events. */
  transfer(request: TransferRequest): Promise<TransferResult>
  /** No event and no frame follows. Before the answer it cancels the call. The reason is for the carrier's records. */
  hangUp(reason?: string): void
}

export interface Dialling {
  readonly sessionId: string
  readonly to: string
  readonly from: string | null
  /** The telephone number of ours whose trunk is to be used (trunk.ts); null: none. */
  readonly trunkId: string | null
  /** The call's metadata, as its creator gave it. */
  readonly metadata: unknown
}

export interface Answering {
  readonly sessionId: string
  /** From the arrival's handover; see arrival.ts. */
  readonly payload: unknown
}

/** Places outbound calls. */
export interface Dialler {
  /** Events come after it has returned, never during. */
  dial(call: Dialling, listener: LineListener): Line
}

/** Answers inbound calls. */
export interface Answerer {
  /** Events come after it has returned, never during. */
  answer(call: Answering, listener: LineListener): Line
  /** Releases an arrival that was handed over and not answered. Does nothing once a line was opened from it. */
  refuse(payload: unknown, reason: string): void
}

export interface Carrier extends Partial<Dialler>, Partial<Answerer> {
  /** Called after the last line has ended. */
  close(): void | Promise<void>
}
