// The parts that the speech of all calls of a media thread shares.
import type { EmbeddedEngines } from '../engines/engines.ts'
import type { Config } from '../platform/config.ts'
import type { Guard } from '../platform/guard/guard.ts'
import type { SttVendor, TtsVendor, VendorAccount } from '../ports/vendor.ts'
import type { Circuits } from './circuits.ts'

type ByName<Value> = Readonly<Record<string, Value>>

export interface SpeechParts {
  readonly config: Pick<Config, 'engineFallback'>
  readonly engines: EmbeddedEngines
  /** Speech vendors by the names that agents use. */
  readonly vendors: { readonly stt: ByName<SttVendor>; readonly tts: ByName<TtsVendor> }
  /** The installation's accounts, by the names that credentials are stored under. */
  readonly accounts: ByName<VendorAccount>
  /** Vendors that have failed lately. */
  readonly circuits: Circuits
  readonly guard: Guard
}
