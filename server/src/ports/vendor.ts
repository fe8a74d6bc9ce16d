// What is known of a speech vendor before it is opened: a description, and how to open it.
import type { Synthesizer, SynthesizerAbilities } from './synthesizer.ts'
import type { Transcriber, TranscriberAbilities } from './transcriber.ts'

/** How to reach a vendor. Holds secrets: never log it. */
export interface VendorAccount {
  /** By the names that the vendor's description lists. */
  readonly credentials: Readonly<Record<string, string>>
  /** Instead of the vendor's own host: a region, a proxy, a test. As in wss://eu.example.com. */
  readonly baseUrl?: string | undefined
}

interface Vendor<Abilities, Engine> {
  /** As people write it. */
  readonly label: string
  /** Where it is, unless an account says otherwise. */
  readonly host: string
  /** Without one of these it cannot be used. */
  readonly credentials: readonly string[]
  readonly abilities: Abilities
  /** Undefined: it is known, but not implemented. */
  readonly open?: ((account: VendorAccount) => Engine) | undefined
}

export type SttVendor = Vendor<
  TranscriberAbilities & {
    /** Words while they are spoken; without it, once an utterance is over. */
    readonly streaming: boolean
    readonly wordTimes: boolean
  },
  Transcriber
>

export type TtsVendor = Vendor<
  SynthesizerAbilities & {
    /** Takes clauses over one connection; without it, a request for each. */
    readonly streaming: boolean
  },
  Synthesizer
>
