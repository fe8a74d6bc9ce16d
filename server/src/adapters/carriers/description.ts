// What the service needs to know of a carrier to use it: one description each, listed in index.ts.
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
  /** Start everything now that the first call would otherwise wait for. */
  readonly warm: boolean
}

/** What a carrier may use in the main thread, where calls come in. */
export interface DoorParts {
  readonly upgrades: Pick<Upgrades, 'take'>
  /** Of the WebSocket for browsers. */
  readonly linePath: string
  /** Other sites whose pages may connect. */
  readonly origins: readonly string[]
  readonly log: Log
  readonly admit: Admit
}

export interface Door {
  /** Disconnects everybody who is still there. */
  close(): void
}

export interface CarrierDescription<Name extends string = string> {
  /** The `provider` of the calls that it carried. */
  readonly name: Name
  /** What its lines can do at best; one line may be able to do less. */
  readonly can: LineAbilities
  /** Once, in the thread that runs calls. */
  open(parts: CarrierParts): Carrier
  /** Once, in the main thread. Only for carriers that bring calls to us. */
  openDoor?(parts: DoorParts): Door
}

/** By name. */
export type CarrierDescriptions = Readonly<Record<string, CarrierDescription>>
