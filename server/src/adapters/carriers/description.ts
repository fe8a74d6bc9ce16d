// What the service needs to know about a carrier: one description each, listed in index.ts.
import type { Ticker } from '../../platform/clock/ticker.ts'
import type { Log } from '../../platform/log.ts'
import type { Admit } from '../../ports/arrival.ts'
import type { Carrier, LineAbilities } from '../../ports/line.ts'
import type { TextSynthesizer } from '../../ports/synthesizer.ts'
import type { Transcriber } from '../../ports/transcriber.ts'
import type { VoiceDetector } from '../../ports/voice-detector.ts'
import type { Upgrades } from './over-upgrades.ts'

/** What a carrier may use in the thread that runs calls. */
export interface CarrierParts {
  readonly ticker: Pick<Ticker, 'add'>
  readonly engines: {
    readonly detector: VoiceDetector
    readonly transcriber: Transcriber
    readonly synthesizer: TextSynthesizer
  }
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Starts whatever the first call would otherwise wait for. */
  readonly warm: boolean
}

/** What a carrier may use in the main thread, where calls arrive. */
export interface DoorParts {
  readonly upgrades: Pick<Upgrades, 'take'>
  /** The path of the WebSocket for browsers. */
  readonly linePath: string
  /** Other origins whose pages may connect. */
  readonly origins: readonly string[]
  readonly log: Log
  readonly admit: Admit
}

export interface Door {
  /** Disconnects everyone still connected. */
  close(): void
}

export interface CarrierDescription<Name extends string = string> {
  /** The `provider` of the calls it carries. */
  readonly name: Name
  /** The most its lines can do; a particular line may do less. */
  readonly can: LineAbilities
  /** Called once, in the thread that runs calls. */
  open(parts: CarrierParts): Carrier
  /** Called once, in the main thread. Only for carriers with inbound calls. */
  openDoor?(parts: DoorParts): Door
}

export type CarrierDescriptions = Readonly<Record<string, CarrierDescription>>
