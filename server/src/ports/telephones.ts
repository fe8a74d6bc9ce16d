// Telephones that have logged in at our own door: the address at which each of them can be called, until it expires.
import type { TrunkTransport } from './trunk.ts'

export interface Telephone {
  /** The number in whose credentials the user is. */
  readonly numberId: string
  readonly username: string
  /** The SIP address at which the telephone wants to be called. */
  readonly contact: string
  /** The address that it has registered from: the way back to it, also through a NAT. */
  readonly transport: TrunkTransport
  readonly address: string
  readonly port: number
  readonly expiresAt: Date
}

/** A registration with the Call-ID and number of its request: an older request changes nothing. */
export interface TelephoneRegistration extends Telephone {
  readonly callId: string
  readonly sequence: number
}

export interface Telephones {
  /** The telephones that have not expired, the latest first. */
  of(numberId: string, username: string): Promise<readonly Telephone[]>
  /** Stores a registration; false if a later request has been here already. */
  bind(registered: TelephoneRegistration): Promise<boolean>
  /** Removes a registration; `contact` null: all of them. */
  unbind(numberId: string, username: string, contact: string | null): Promise<void>
}
