// What the service needs to know about a carrier: one description each, listed in index.ts.
import type { Frame, RateHz } from '../media/frame.ts'
import type { Ticker } from '../platform/clock/ticker.ts'
import type { Config } from '../platform/config.ts'
import type { Guard } from '../platform/guard/guard.ts'
import type { Log } from '../platform/log.ts'
import type { Upgrades } from '../platform/upgrades.ts'
import type { Admit, Arrival, CallRoom } from '../ports/arrival.ts'
import type { KeepCallState } from '../ports/call-state.ts'
import type { Carrier, LineAbilities } from '../ports/line.ts'
import type { KeepSignalling } from '../ports/signalling.ts'
import type { TextSynthesizer } from '../ports/synthesizer.ts'
import type { Telephones } from '../ports/telephones.ts'
import type { Transcriber } from '../ports/transcriber.ts'
import type { CheckTrunk, TrunkLeases, Trunks } from '../ports/trunk.ts'
import type { VoiceDetector } from '../ports/voice-detector.ts'

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

/** What a carrier may use in the thread that runs calls. */
export interface CarrierParts {
  readonly ticker: Pick<Ticker, 'add'>
  readonly engines: {
    readonly detector: VoiceDetector
    readonly transcriber: Transcriber
    readonly synthesizer: TextSynthesizer
  }
  /** A track of background noise at a rate, frame by frame. */
  readonly openNoise: (track: string, rateHz: RateHz) => Promise<(frameNumber: number) => Frame>
  /** To its own door; not during `open`. */
  readonly link: CarrierLink
  /** Undefined: there is no SIP line. */
  readonly sip: Config['sip']
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Starts whatever the first call would otherwise wait for. */
  readonly warm: boolean
}

/** What a carrier may use in the main thread, where calls arrive. */
export interface DoorParts {
  readonly upgrades: Upgrades
  /** The path of the WebSocket for browsers. */
  readonly linePath: string
  /** Other origins whose pages may connect. */
  readonly origins: readonly string[]
  readonly log: Log
  readonly admit: Admit
  /** How many more calls this process takes now, and how many at most. */
  readonly room: () => CallRoom
  readonly link: DoorLink
  /** Undefined: there is no SIP line. */
  readonly sip: Config['sip']
  readonly trunks: Trunks
  /** Which process keeps which registration. */
  readonly leases: TrunkLeases
  /** Those that have logged in at a door of ours. */
  readonly telephones: Telephones
  /** Whether the operator trusts a host in a private network. */
  readonly isTrustedHost: (host: string, port: number) => boolean
  /** For addresses that callers name. */
  readonly guard: Guard
  /** An HMAC that every process of the installation computes alike. */
  readonly sign: (text: string) => Buffer
  /** Keeps the messages that set a call up and ended it. */
  readonly keepSignalling: KeepSignalling
  /** Counts what was turned away at the door, by reason. */
  readonly countRefused: (reason: string) => void
  /** Where the agent of a running call may transfer to: numbers in E.164 form and SIP addresses. */
  readonly transferTargets: (sessionId: string) => readonly string[]
  /** For carriers whose calls can be gone on with by another process. */
  readonly keepState: KeepCallState
}

export interface Door {
  /** New calls are turned away; those that are here go on. */
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

export interface CarrierDescription<Name extends string = string> {
  /** The `provider` of the calls it carries. */
  readonly name: Name
  /** The most its lines can do; a particular line may do less. */
  readonly can: LineAbilities
  /** Called once, in the thread that runs calls. */
  open(parts: CarrierParts): Carrier
  /** Called once, in the main thread. Only for carriers with inbound calls, or with signalling of their own. */
  openDoor?(parts: DoorParts): Door | Promise<Door>
}

export type CarrierDescriptions = Readonly<Record<string, CarrierDescription>>
