// A call that comes to us instead of being dialled: a browser with a token; later an INVITE or a media stream.
//
// It arrives in the thread that holds its socket and is answered in the thread that runs calls. What is handed over between
// the two means something to its carrier only.

export interface Arrival {
  /** The name of the carrier that brings it. */
  readonly carrier: string
  readonly handover: Handover
  /** It will not be answered: tells the other side why, and releases everything that the arrival holds. */
  refuse(reason: string): void
}

export interface Handover {
  /** Structured-cloneable. */
  readonly payload: unknown
  /** Parts of the payload that move to the other thread instead of being copied. */
  readonly transfer: readonly object[]
}

/** An arrival in the thread that runs calls. */
export interface HandedOver {
  readonly carrier: string
  readonly payload: unknown
}

/** How an arrival names its call. One without a row yet (an inbound number) becomes another member. */
export interface ArrivalKey {
  readonly by: 'token'
  readonly token: string
}

/** `unknown`: never issued, used already, or expired. `full`: the key stays good until there is room. */
export type Admission =
  | { readonly is: 'in'; readonly sessionId: string }
  | { readonly is: 'unknown' }
  | { readonly is: 'full' }

export type Admit = (key: ArrivalKey, arrival: Arrival) => Promise<Admission>
