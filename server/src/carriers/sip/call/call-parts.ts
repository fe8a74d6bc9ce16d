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
  /** Where a request can be sent, best first; `hop` if it is not its own address. `peer` where nothing else is found. */
  readonly route: (request: SipRequest, peer: Destination | null, hop?: string) => Promise<Destination[]>
  /** A server was silent or full: the others come first for so long. */
  readonly avoid: (to: Destination, seconds?: number) => void
  /** Keeps the way to a peer open until it is let go. */
  readonly keepAlive: (to: Destination) => () => void
  /** Calls back when the connection to a peer is lost. */
  readonly watch: (to: Destination, onLost: () => void) => () => void
  /** Our address in Contact, as this peer reaches us. */
  readonly contact: (peer: Destination) => string
}

/** The far end's wish to change the sound: an answer or a refusal is owed. */
export interface FarOffer {
  /** null: it wants ours, and answers it in its ACK. */
  readonly sdp: string | null
  accept(sdp: string): void
  refuse(status: 488 | 491 | 500): void
}

/** The far end asks us to call somebody else instead of it (RFC 3515). */
export interface FarRefer {
  /** An address, without the headers that it may carry. */
  readonly to: string
  /** The call that the new one is to replace at its far end: an attended transfer. */
  readonly replaces: string | null
  readonly referredBy: string | null
  /** Returns how to tell the far end what comes of it; a final status ends it. */
  accept(): (status: number, text: string) => void
  refuse(status: 403 | 603): void
}

export interface CallListener {
  onOffer(offer: FarOffer): void
  /** The answer to an offer of ours that the far end had asked for. */
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
  /** Left out: a fresh one. */
  readonly callId?: string
  readonly to: string
  /** From, without its tag: `"Name" <sip:number@host>`. */
  readonly from: string
  readonly sdp: string
  readonly credentials: DigestCredentials | null
  /** For the trunk: identity, privacy, X- headers. */
  readonly headers: readonly Header[]
  /** Proxies of the trunk to go through. */
  readonly routes: readonly string[]
  readonly transport: TransportName | null
  /** The only way to a telephone that has logged in, and may be behind a NAT. */
  readonly via?: Destination
  readonly listener: OutgoingListener
  /** Where a redirection may lead: an open one is how telephone bills are run up. Left out: nowhere. */
  readonly mayRedirectTo?: (address: string) => boolean
}

export interface OutgoingListener extends CallListener {
  /** 18x; `sdp` is early media. */
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
