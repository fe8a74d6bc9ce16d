// The port for what carries a call: the sandbox, a browser, a telephone network.
import type { Frame, RateHz } from '../media/frame.ts'

/** A codec by its name in SDP (RFC 3551): PCMU, PCMA, L16, G722, opus. */
export interface Codec {
  readonly name: string
  readonly rateHz: number
}

export type LineEvent =
  | { readonly type: 'ringing' }
  /** Our call has had no answer of any kind for a while: perhaps the trunk is gone. */
  | { readonly type: 'out-of-reach' }
  /** After that, the trunk has said something: the call is on its way. */
  | { readonly type: 'in-reach' }
  /** Early media is heard from now on: a ring-back tone, an announcement. It is not the conversation. */
  | { readonly type: 'early-media' }
  | { readonly type: 'answered'; readonly codec: Codec }
  | { readonly type: 'codec-changed'; readonly codec: Codec }
  | { readonly type: 'digit'; readonly digit: string }
  /** Words that the other side typed instead of speaking them. */
  | { readonly type: 'text'; readonly text: string }
  /** The other side put us on hold: until `resumed`, incoming audio is music or silence, and we are not heard. */
  | { readonly type: 'held' }
  | { readonly type: 'resumed' }
  | { readonly type: 'transfer-progress'; readonly is: TransferProgress }
  /** The last event of a line. None follows our own hang-up. */
  | {
      readonly type: 'ended'
      readonly cause: LineEnd
      /** The reason in one sentence, when something went wrong. */
      readonly reason?: string
      readonly carrierCause?: CarrierCause
    }

/**
 * The cause of the end. `hangup`: the other side ended an answered call. The others say why a call was not answered,
 * or broke. `rejected`: the person declined. `unreachable`: the number does not exist or is out of order. `no-trunk`: the
 * trunk did not answer, so nobody was called.
 */
export type LineEnd = 'hangup' | 'busy' | 'rejected' | 'no-answer' | 'unreachable' | 'no-trunk' | 'failed'

/** The carrier's own cause: SIP 486 Busy Here, Q.850 16 Normal call clearing. */
export interface CarrierCause {
  readonly protocol: string
  readonly code: number | string
  readonly text: string
}

/**
 * The mode of a transfer. `blind`: the other side is sent to the target and leaves us. `bridged`: we call the target
 * and connect the two.
 */
export type TransferMode = 'blind' | 'bridged'

export interface TransferRequest {
  /** A number in E.164 form, or a SIP address. */
  readonly to: string
  readonly mode: TransferMode
}

/** The progress of a transfer. `trying`: accepted, not yet successful. `ringing`: at the target. */
export type TransferProgress = 'trying' | 'ringing'

export type TransferResult =
  /** After a blind transfer the other side is connected to the target. The line is ours to hang up. */
  | { readonly is: 'completed' }
  /** Both sides talk over this line, whose frames carry the audio of both. It ends when one of them leaves. */
  | { readonly is: 'bridged' }
  /** The transfer failed, and the call continues as before. */
  | {
      readonly is: 'failed'
      readonly reason: string
      /** Why the target was not reached, if it was tried. */
      readonly cause?: LineEnd
      readonly carrierCause?: CarrierCause
      /** Whether the other side carries out no transfers: nobody was called. */
      readonly isRefused?: true
    }

/**
 * A second call, to the target of a transfer, placed by the line whose caller is to be transferred. The agent speaks to the
 * target before the two are connected; meanwhile the caller stays on its line, and hears what is sent there.
 *
 * What a telephone line has to do for it: place another call over the same trunk, from the same number (or with the
 * caller's identity, if the trunk passes it on), in the same media thread; report `ringing`, `answered`, `digit` and `ended`
 * of that call to the listener, and its frames from the answer on; when joined, stop giving its frames to the listener,
 * send each side the frames of the other, and give the mixture of both to the line's own listener, as in a bridged
 * transfer. When the line ends, or is hung up, so does the second call.
 */
export interface Consultation {
  /** Takes one frame every 20 ms, from the answer until the two are joined; copies what it needs. */
  send(frame: Frame): void
  /**
   * Connects the caller and the target. No event or frame follows for the consultation's listener. From now on the line
   * carries the audio of both, nothing that is sent to it is heard, and it ends with `hangup` when either leaves.
   * Rejects if the target has not answered, or has left.
   */
  join(): Promise<void>
  /** Hangs up: no event and no frame follows. Before the answer it cancels the call. Does nothing once joined. */
  hangUp(reason?: string): void
}

export interface LineAbilities {
  readonly digits: boolean
  readonly hold: boolean
  readonly transfers: readonly TransferMode[]
  readonly earlyMedia: boolean
  readonly codecs: readonly Codec[]
}

export interface LineListener {
  onEvent(event: LineEvent): void
  /**
   * Receives the other side's audio; before the answer it is early media. The frame is lent until this returns. `arrivedMs` is
   * when it reached us, on the clock of the ticks: earlier than now by what it waited in buffers. Absent: now.
   */
  onFrame(frame: Frame, arrivedMs?: number): void
}

/** How well the sound of a line travelled, both ways. */
export interface LineQuality {
  readonly packetsReceived: number
  readonly packetsLost: number
  readonly packetsSent: number
  /** The lost share of what we sent, by the other side's last report; null: it reports nothing. */
  readonly farLossShare: number | null
  readonly jitterMs: number
  readonly roundTripMs: number | null
  /** The duration of missing sound that was concealed. */
  readonly concealedMs: number
  /** Mean opinion score, 1 to 4.5. */
  readonly opinionScore: number
}

/** A line. Its commands reject when the line lacks the ability or the call ends first. */
export interface Line {
  readonly rateHz: RateHz
  /** The carrier's id of this call. */
  readonly callSid: string
  readonly can: LineAbilities
  /** The quality as measured so far, also after the end; absent: this line does not measure. */
  readonly quality?: LineQuality | null
  /** Reports that the agent can speak, once: a call that came in, or a browser that joined, is answered now. */
  pickUp?(): void
  /** Takes one frame every 20 ms from the answer on; copies what it needs, never blocks. */
  send(frame: Frame): void
  /** Sends keys (0-9, *, # and A-D); resolves when the last one has been sent. */
  sendDigits(digits: string): Promise<void>
  /** Puts the far end on hold, or resumes; resolves when it has been notified. */
  hold(on: boolean): Promise<void>
  /** Transfers the call; resolves with the final result, while progress comes as events. */
  transfer(request: TransferRequest): Promise<TransferResult>
  /** Places a second call, whose events come after this has returned, never during. Absent: the line cannot place one. */
  readonly consult?: ((to: string, listener: LineListener) => Consultation) | undefined
  /** Hangs up: no event and no frame follows; before the answer it cancels. The reason is for the carrier's records. */
  hangUp(reason?: string): void
}

export interface DialOrder {
  readonly sessionId: string
  readonly to: string
  readonly from: string | null
  /** The telephone number of ours whose trunk is to be used (trunk.ts); null: none. */
  readonly trunkId: string | null
  /** The call's metadata, as its creator gave it. */
  readonly metadata: unknown
}

export interface AnswerOrder {
  readonly sessionId: string
  /** The payload of the arrival's handover; see arrival.ts. */
  readonly payload: unknown
}

/** Places outbound calls. */
export interface Dialler {
  /** Dials. Events come after it has returned, never during. */
  dial(call: DialOrder, listener: LineListener): Line
}

/** Answers inbound calls. */
export interface LineAnswerer {
  /** Answers. Events come after it has returned, never during. */
  answer(call: AnswerOrder, listener: LineListener): Line
  /** Releases an arrival that was handed over and not answered. Does nothing once a line was opened from it. */
  refuse(payload: unknown, reason: string): void
}

export interface Carrier extends Partial<Dialler>, Partial<LineAnswerer> {
  /** Closes the carrier after the last line has ended. */
  close(): void | Promise<void>
}
