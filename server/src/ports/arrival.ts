// A call that comes in instead of being dialled: a browser with a token, an INVITE, a media stream.
//
// An arrival comes in the thread that holds its socket and is answered in the thread that runs calls. What is handed
// over between the two is opaque to everything but its carrier.

export interface Arrival {
  /** The name of the carrier it came through. */
  readonly carrier: string
  readonly handover: Handover
  /** Refuses the arrival: sends the other side the reason, and releases everything the arrival holds. */
  refuse(reason: string): void
}

export interface Handover {
  /** The carrier's data of the arrival, which can be cloned to another thread. */
  readonly payload: unknown
  /** Parts of the payload that are transferred instead of copied. */
  readonly transfer: readonly object[]
}

/** An arrival in the thread that runs calls. */
export interface HandedOver {
  readonly carrier: string
  readonly payload: unknown
}

/** The key by which an arrival finds its call: the token of a row that waits for it, or the number that was called. */
export type ArrivalKey = { readonly by: 'token'; readonly token: string } | CalledNumber

/** A telephone call that comes in: its row is created when it is admitted. */
export interface CalledNumber {
  readonly by: 'number'
  /** The name of the carrier. */
  readonly provider: string
  /** The telephone number whose trunk the call came through (ports/trunk.ts); null: from an address that needs no trunk. */
  readonly trunkId: string | null
  /** A number in E.164 form, or the user part of the address that was called, such as the id of an agent. */
  readonly called: string
  /** The caller's number; null: withheld. */
  readonly caller: string | null
  /** From the signalling: the caller's name, diversions, chosen headers. They become variables of the call. */
  readonly variables: Readonly<Record<string, string>>
}

/**
 * `unknown`: a token that was never issued, is used or expired; a number without an agent. `full`: there is no room now.
 * `draining`: this process takes no more calls; another one may. `overloaded`: nor does this one, until sound leaves in time.
 */
export type Admission =
  | { readonly is: 'in'; readonly sessionId: string }
  | { readonly is: 'unknown' }
  | { readonly is: 'full' }
  | { readonly is: 'draining' }
  | { readonly is: 'overloaded' }

export interface CallRoom {
  readonly free: number
  readonly capacity: number
}

export type Admit = (key: ArrivalKey, arrival: Arrival) => Promise<Admission>
