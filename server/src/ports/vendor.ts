// What is known about a speech vendor before it is opened: a description, and how to open it.
import type { Synthesizer, SynthesizerAbilities } from './synthesizer.ts'
import type { Transcriber, TranscriberAbilities } from './transcriber.ts'

/** How to reach a vendor. Holds secrets: never log it. */
export interface VendorAccount {
  /** By the names that the vendor's description lists. */
  readonly credentials: Readonly<Record<string, string>>
  /** Overrides the vendor's own host: a region, a proxy, a test. As in wss://eu.example.com. */
  readonly baseUrl?: string | undefined
}

interface Vendor<Abilities, Engine> {
  /** Display name. */
  readonly label: string
  /** Its host, unless an account overrides it. */
  readonly host: string
  /** The credentials it cannot work without. */
  readonly credentials: readonly string[]
  readonly abilities: Abilities
  /** Undefined: described, but not implemented. */
  readonly open?: ((account: VendorAccount) => Engine) | undefined
}

export type SttVendor = Vendor<
  TranscriberAbilities & {
    /** Sends words while they are spoken; otherwise, once an utterance is over. */
    readonly streaming: boolean
    readonly wordTimes: boolean
  },
  Transcriber
>

export type TtsVendor = Vendor<
  SynthesizerAbilities & {
    /** Takes clauses over one connection; otherwise, one request each. */
    readonly streaming: boolean
  },
  Synthesizer
>
