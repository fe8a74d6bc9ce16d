// What the two threads of a SIP call say to each other: signalling lives with the sockets in the main thread, sound with
// the ticker in the media thread. Everything is structured-cloneable; `call` names the call in both.
import type { Trunk } from '../../../ports/trunk.ts'
import { causeOfStatus, type SipCause } from '../call/causes.ts'
import { type CodecName, codecs } from '../sound/codecs.ts'
import type { SrtpPolicy } from '../sound/negotiate.ts'

/** What the media side needs to know before it can make SDP. */
export interface MediaTerms {
  /** Our address, as the far end sees it. */
  readonly address: string
  readonly codecs: readonly CodecName[]
  readonly srtp: SrtpPolicy
  readonly symmetricRtp: boolean
}

export type ToLine = { readonly call: string } /** The trunk is known: the line is to make an offer. */ & (
  | { readonly type: 'describe'; readonly terms: MediaTerms }
  /** Whether anybody has answered our INVITE in any way; sent when that took too long, and when it comes after all. */
  | { readonly type: 'reach'; readonly isInReach: boolean }
  | { readonly type: 'provisional'; readonly status: number; readonly sdp: string | null }
  | { readonly type: 'answered'; readonly sdp: string }
  /** The far end offers a change; null asks for our offer. */
  | { readonly type: 'offered'; readonly offer: number; readonly sdp: string | null }
  | { readonly type: 'late-answer'; readonly sdp: string | null }
  /** The result of the line's request of this number. */
  | { readonly type: 'result'; readonly request: number; readonly result: RequestResult }
  | { readonly type: 'info'; readonly contentType: string; readonly body: string }
  | { readonly type: 'transfer-progress'; readonly status: number }
  | { readonly type: 'ended'; readonly cause: SipCause }
)

export type RequestResult =
  | { readonly is: 'accepted'; readonly sdp: string | null }
  | { readonly is: 'refused'; readonly cause: SipCause }

/** A call that the signalling is to place. */
export interface Order {
  /** null: the order is for a second call. */
  readonly sessionId: string | null
  /** The session whose second call this is; null: this is no second call. */
  readonly legOf: string | null
  readonly to: string
  readonly from: string | null
  readonly trunkId: string | null
}

export type ToSignalling = { readonly call: string } & (
  | ({ readonly type: 'place' } & Order)
  | { readonly type: 'described'; readonly sdp: string }
  | { readonly type: 'accept'; readonly sdp: string }
  | { readonly type: 'answer-offer'; readonly offer: number; readonly sdp: string }
  | { readonly type: 'refuse-offer'; readonly offer: number }
  | { readonly type: 'offer'; readonly request: number; readonly sdp: string }
  | { readonly type: 'refer'; readonly request: number; readonly to: string }
  | { readonly type: 'hang-up'; readonly cause: SipCause }
)

/** The payload of an arrival: an INVITE that waits for its answer. */
export interface SipArrival {
  readonly call: string
  /** The Call-ID. */
  readonly callId: string
  /** null: the call came without a trunk. */
  readonly trunkId: string | null
  readonly offer: string | null
  readonly terms: MediaTerms
  /** Set for the call of another process, whose SDP at the far end is to be replaced. */
  readonly resumed: { readonly sessionId: string; readonly version: number } | null
}

/** Our codecs, wide band first: most telephones on a local network have it, and trunks name their own. */
const preferred: readonly CodecName[] = ['opus', 'G722', 'PCMU', 'PCMA']
const available = preferred.filter((name) => codecs[name])

/** `trunk` is null for a telephone that calls an agent directly. */
export function termsFor(trunk: Trunk | null, address: string): MediaTerms {
  const wanted = (trunk?.codecs ?? []).flatMap(
    (name) => available.find((one) => one.toUpperCase() === name.toUpperCase()) ?? [],
  )
  return {
    address,
    codecs: wanted.length > 0 ? wanted : available,
    srtp: trunk?.srtp ?? 'optional',
    symmetricRtp: trunk?.symmetricRtp ?? true,
  }
}

export class LineRequests {
  readonly #post: (message: ToSignalling) => void
  readonly #waiting = new Map<number, (result: RequestResult) => void>()
  #last = 0

  constructor(post: (message: ToSignalling) => void) {
    this.#post = post
  }

  ask(make: (request: number) => ToSignalling): Promise<RequestResult> {
    const request = ++this.#last
    return new Promise((resolve) => {
      this.#waiting.set(request, resolve)
      this.#post(make(request))
    })
  }

  settle(request: number, result: RequestResult): void {
    this.#waiting.get(request)?.(result)
    this.#waiting.delete(request)
  }

  /** Refuses all open requests, because the call is over. */
  close(): void {
    const over: RequestResult = { is: 'refused', cause: causeOfStatus(481, 'The call ended first') }
    for (const resolve of this.#waiting.values()) resolve(over)
    this.#waiting.clear()
  }
}
