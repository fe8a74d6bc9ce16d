// Telephones that have logged in at our own door: where each of them can be called, until it expires.
import type { TrunkTransport } from './trunk.ts'

export interface Telephone {
  /** The number in whose credentials the user is. */
  readonly numberId: string
  readonly username: string
  /** The SIP address that it wants to be called at. */
  readonly contact: string
  /** Where it has registered from: the way back to it, also through a NAT. */
  readonly transport: TrunkTransport
  readonly address: string
  readonly port: number
  readonly expiresAt: Date
}

/** One registration, by the Call-ID and number of its request: an older one changes nothing. */
export interface TelephoneRegistration extends Telephone {
  readonly callId: string
  readonly sequence: number
}

export interface Telephones {
  /** Those that have not expired, the latest first. */
  of(numberId: string, username: string): Promise<readonly Telephone[]>
  /** False: a later request has been here already. */
  bind(registered: TelephoneRegistration): Promise<boolean>
  /** `contact` null: all of them. */
  unbind(numberId: string, username: string, contact: string | null): Promise<void>
}
