// What user-agent-process.ts is told and tells.
import type { DigestCredentials } from '../../../src/carriers/sip/auth/digest.ts'
import type { OfferResult } from '../../../src/carriers/sip/call/offers.ts'
import type { TransportName } from '../../../src/carriers/sip/transport/transport.ts'
import type { RegistrationState } from '../../../src/carriers/sip/trunk/registration.ts'

export interface Settings {
  readonly host?: string
  readonly port?: number
  readonly tls?: { readonly cert: string; readonly key: string; readonly port?: number }
  /** The certificate of an authority for peers. */
  readonly authority?: string
  /** Tells only what it is asked for. */
  readonly isQuiet?: boolean
  /** Whose requests are looked at: `address` or `address:port`. Left out: everybody's. */
  readonly allow?: readonly string[]
  /** Hangs up by itself. */
  readonly hangUpAfterMs?: number
}

export type Order =
  | {
      readonly do: 'call'
      /** What it is called from then on. */
      readonly as: string
      readonly to: string
      readonly from?: string
      readonly credentials?: DigestCredentials
      readonly transport?: TransportName
      readonly routes?: readonly string[]
      /** Part of the addresses that a redirection may lead to. */
      readonly redirectTo?: string
    }
  | { readonly do: 'hang-up'; readonly id: string }
  | { readonly do: 'offer'; readonly id: string }
  | { readonly do: 'refer'; readonly id: string; readonly to: string }
  | {
      readonly do: 'register'
      readonly registrar: string
      readonly addressOfRecord: string
      readonly contactUser: string
      readonly credentials: DigestCredentials
      readonly transport: TransportName
    }
  | { readonly do: 'count' }
  | { readonly do: 'stop' }

export interface Counts {
  readonly arrived: number
  readonly ended: number
  /** Exceptions while a message was worked on. */
  readonly faults: number
  readonly strangers: number
  readonly malformed: number
  readonly overflown: number
  readonly calls: number
  readonly transactions: number
  readonly memoryBytes: number
  readonly heapBytes: number
}

export type Report =
  /** Sent by us, to the far end with this tag. */
  | { readonly event: 'bye'; readonly to: string }
  | { readonly event: 'ready'; readonly port: number; readonly tlsPort: number | null }
  | {
      readonly event: 'invite'
      readonly id: string
      readonly user: string | null
      readonly offer: string | null
    }
  | {
      readonly event: 'cancelled' | 'ended'
      readonly id: string
      readonly status: number
      readonly text: string
      readonly q850: number | null
      /** How often its 200 was sent. */
      readonly answers: number
    }
  | { readonly event: 'provisional' | 'transfer' | 'referred'; readonly id: string; readonly status: number }
  | { readonly event: 'answered'; readonly id: string; readonly sdp: string }
  | { readonly event: 'offer' | 'late-answer'; readonly id: string; readonly sdp: string | null }
  | { readonly event: 'offered'; readonly id: string; readonly result: OfferResult }
  | { readonly event: 'info'; readonly id: string; readonly contentType: string; readonly body: string }
  | { readonly event: 'registration'; readonly state: RegistrationState }
  | ({ readonly event: 'counts' } & Counts)
