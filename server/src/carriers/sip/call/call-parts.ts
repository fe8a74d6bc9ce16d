// What every call of the user agent is given, and what it reports.
import type { DigestCredentials } from '../auth/digest.ts'
import { elementsOf, type Header, type SipMessage, type SipRequest } from '../message/message.ts'
import type { OutgoingRequests } from '../transactions/outgoing-requests.ts'
import type { After } from '../transport/timers.ts'
import type { Destination, TransportName } from '../transport/transport.ts'
import type { SipCause } from './causes.ts'
import type { CallState } from './saved-call.ts'

export interface SipCallParts {
  readonly endpoint: Pick<OutgoingRequests, 'request' | 'cancel' | 'sendOnce'>
  readonly after: After
  readonly random: (bytes: number) => string
  /** The servers for a request, best first. `hop` replaces its own address; `peer` is used where nothing else is found. */
  readonly route: (request: SipRequest, peer: Destination | null, hop?: string) => Promise<Destination[]>
  /** Puts a server that was silent or full behind the others for a while. */
  readonly avoid: (to: Destination, seconds?: number) => void
  /** Keeps the way to a peer open until the returned function is called. */
  readonly keepAlive: (to: Destination) => () => void
  /** Calls `onLost` when the connection to a peer is lost; returns how to stop watching. */
  readonly watch: (to: Destination, onLost: () => void) => () => void
  /** Our Contact, with the address that this peer reaches us at. */
  readonly contact: (peer: Destination) => string
}

/** The far end offers to change the sound, and gets an answer or a refusal. */
export interface FarOffer {
  /** null: the far end wants our offer, and answers it in its ACK. */
  readonly sdp: string | null
  accept(sdp: string): void
  refuse(status: 488 | 491 | 500): void
}

/** The far end asks us to call somebody else instead of it (RFC 3515). */
export interface FarRefer {
  /** The address to call, without headers. */
  readonly to: string
  /** The call that the new one is to replace at its far end: an attended transfer. */
  readonly replaces: string | null
  readonly referredBy: string | null
  /** Accepts, and returns how to report the progress of the new call; a final status is the last report. */
  accept(): (status: number, text: string) => void
  refuse(status: 403 | 603): void
}

export interface CallListener {
  onOffer(offer: FarOffer): void
  /** The far end answers an offer that it had asked us for. */
  onLateAnswer(sdp: string | null): void
  onInfo(contentType: string, body: string): void
  onTransferProgress(status: number): void
  onEnded(cause: SipCause): void
  /** Left out: every REFER is declined. */
  onRefer?(refer: FarRefer): void
  /** Called with every change of what another process would need to continue the call. */
  onState?(state: CallState): void
}

/** A call to place. */
export interface CallOrder {
  /** Left out: a fresh Call-ID. */
  readonly callId?: string
  readonly to: string
  /** From, without its tag: `"Name" <sip:number@host>`. */
  readonly from: string
  readonly sdp: string
  readonly credentials: DigestCredentials | null
  /** Headers for the trunk: identity, privacy, X- headers. */
  readonly headers: readonly Header[]
  /** Proxies of the trunk to go through. */
  readonly routes: readonly string[]
  readonly transport: TransportName | null
  /** The only way to a telephone that has logged in, and may be behind a NAT. */
  readonly via?: Destination
  readonly listener: OutgoingListener
  /**
   * The address to call when a redirection names this one; null: it is not followed, as an open redirection is how telephone
   * bills are run up. Left out: none is followed.
   */
  readonly redirectedTo?: (address: string) => string | null
}

export interface OutgoingListener extends CallListener {
  /** Called with false when no answer of any kind has come for a while, and with true when one comes after that. */
  onReach?(isInReach: boolean): void
  /** Called for each 18x; `sdp` announces early media. */
  onProvisional(status: number, sdp: string | null): void
  onAnswered(sdp: string): void
}

export const allowedMethods = 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, INFO, NOTIFY, PRACK, REFER'

export const allowsUpdate = (message: SipMessage): boolean =>
  elementsOf(message, 'Allow').some((method) => /^UPDATE$/i.test(method))

export const sdpType = { name: 'Content-Type', value: 'application/sdp' } as const

const encoder = new TextEncoder()
export const sdpBody = (sdp: string): Uint8Array => encoder.encode(sdp)

/** Headers of every INVITE, UPDATE and 2xx: how to reach us and what we can do. */
export const capabilities = (contact: string): Header[] => [
  { name: 'Contact', value: `<${contact}>` },
  { name: 'Allow', value: allowedMethods },
  { name: 'Supported', value: '100rel, timer, replaces' },
]
