// What the service needs to know about a carrier: one description each, listed in index.ts.
import type { Ticker } from '../platform/clock/ticker.ts'
import type { Log } from '../platform/log.ts'
import type { Upgrades } from '../platform/upgrades.ts'
import type { Admit, Arrival } from '../ports/arrival.ts'
import type { KeepCallState } from '../ports/call-state.ts'
import type { Carrier, LineAbilities } from '../ports/line.ts'
import type { CheckTrunk } from '../ports/trunk.ts'

/**
 * What the two halves of a carrier say to each other: sockets and secrets are in the main thread, sound is in the thread
 * that runs calls. Messages are structured-cloneable and stay in order, also with the arrivals that are handed over.
 */
export interface CarrierLink {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
}

/** The end in the main thread, which survives the other one. */
export interface DoorLink extends CarrierLink {
  /** The thread that ran calls has died, and every call in it. The next message starts another. */
  onLost(listener: () => void): void
}

/** What every carrier is given in the thread that runs calls. */
export interface CarrierParts {
  readonly ticker: Pick<Ticker, 'add'>
  /** To the carrier's own door; not to be used during `open`. */
  readonly link: CarrierLink
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Starts whatever the first call would otherwise wait for. */
  readonly warm: boolean
}

/** What every carrier is given in the main thread, where calls arrive. */
export interface DoorParts {
  readonly upgrades: Upgrades
  readonly log: Log
  readonly admit: Admit
  readonly link: DoorLink
  /** For carriers whose calls another process can continue. */
  readonly keepState: KeepCallState
}

export interface Door {
  /** New calls are turned away; calls in progress continue. */
  drain?(): void
  /** Disconnects everyone still connected. */
  close(): void | Promise<void>
  /** Where people call, for the terminal. */
  readonly address?: string | undefined
  readonly checkTrunk?: CheckTrunk
  /** See ports/call-state.ts. */
  resume?(sessionId: string, state: string): Arrival | null
  abandon?(sessionId: string, onHungUp: () => void): boolean
}

/** `OwnParts` and `OwnDoorParts` are what this carrier needs besides, in each of the two threads. */
export interface CarrierDescription<
  Name extends string = string,
  OwnParts = unknown,
  OwnDoorParts = unknown,
> {
  /** The `provider` of the calls it carries. */
  readonly name: Name
  /** The most its lines can do; a particular line may do less. */
  readonly can: LineAbilities
  /** Called once, in the thread that runs calls. */
  readonly open: (parts: CarrierParts & OwnParts) => Carrier
  /** Called once, in the main thread. Only for carriers with inbound calls, or with signalling of their own. */
  readonly openDoor?: (parts: DoorParts & OwnDoorParts) => Door | Promise<Door>
}
