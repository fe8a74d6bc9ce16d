// A call that comes in instead of being dialled: a browser with a token; later an INVITE or a media stream.
//
// It arrives in the thread that holds its socket and is answered in the thread that runs calls. What is handed over between
// the two is opaque to everything but its carrier.

export interface Arrival {
  /** The name of the carrier it came through. */
  readonly carrier: string
  readonly handover: Handover
  /** Refuses the arrival: sends the other side the reason, and releases everything the arrival holds. */
  refuse(reason: string): void
}

export interface Handover {
  /** Structured-cloneable. */
  readonly payload: unknown
  /** Parts of the payload that are transferred instead of copied. */
  readonly transfer: readonly object[]
}

/** An arrival in the thread that runs calls. */
export interface HandedOver {
  readonly carrier: string
  readonly payload: unknown
}

/** How an arrival identifies its call. One without a row yet (an inbound number) becomes another member. */
export interface ArrivalKey {
  readonly by: 'token'
  readonly token: string
}

/** `unknown`: never issued, already used, or expired. `full`: the token stays valid until there is room. */
export type Admission =
  | { readonly is: 'in'; readonly sessionId: string }
  | { readonly is: 'unknown' }
  | { readonly is: 'full' }

export type Admit = (key: ArrivalKey, arrival: Arrival) => Promise<Admission>
