// What is known about a speech vendor before it is opened: a description, and how to open it.
import type { Synthesizer, SynthesizerAbilities, SynthesizerOptions } from './synthesizer.ts'
import type { Transcriber, TranscriberAbilities, TranscriberOptions } from './transcriber.ts'

type Credentials = Readonly<Record<string, string>>

/** How to reach a vendor. Holds secrets: never log it. */
export interface VendorAccount {
  /** By the names that the vendor's description lists. */
  readonly credentials: Credentials
  /** Overrides the vendor's own host: a region, a proxy, a test. As in https://eu.example.com, for sockets too. */
  readonly baseUrl?: string | undefined
  /** Resolves to public addresses only, where a user chose `baseUrl`; undefined: as the system does. */
  readonly lookup?: Lookup | undefined
}

/** As Node's own `dns.lookup`. */
export type Lookup = (
  hostname: string,
  options: { readonly all?: boolean | undefined },
  callback: (
    error: Error | null,
    address: string | { readonly address: string; readonly family: number }[],
    family?: number,
  ) => void,
) => void

/** A harmless request whose status tells whether the credentials are valid: 2xx, or 401 and 403. */
export interface VendorCheck {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** What the vendor answered; `ok` null: it could not be found out. */
export interface CheckAnswer {
  readonly ok: boolean | null
  readonly status: number | null
  /** One sentence. */
  readonly message: string
}

export type VendorUse = 'synthesizer' | 'transcriber' | 'language_model'

/** A company whose credentials can be stored, whatever it is asked for. */
export interface CredentialVendor {
  readonly label: string
  readonly uses: readonly VendorUse[]
  /** What agents name to use it. */
  readonly agentNames: readonly string[]
  readonly fields: readonly CredentialField[]
  /** The installation's account; undefined: it has none. */
  readonly installed: VendorAccount | undefined
  /** One harmless request. */
  check(account: VendorAccount): Promise<CheckAnswer>
}

export interface CredentialField {
  readonly name: string
  readonly isRequired: boolean
  readonly isSecret: boolean
}

/** What an agent may ask of a synthesizer. Caching is ours with every vendor. */
export type SynthesizerOptionName = Exclude<keyof SynthesizerOptions, 'rateHz'>

/** What an agent may ask of a transcriber. */
export type TranscriberOptionName = Exclude<keyof TranscriberOptions, 'rateHz' | 'wordTimes'>

/** Some of the options; undefined: not asked for. */
export type Asked<Options> = { readonly [Name in keyof Options]?: Options[Name] | undefined }

interface Vendor<Abilities, Engine, Options, OptionName extends string> {
  /** Display name. */
  readonly label: string
  /** Its host, unless an account overrides it. A function where it depends on a credential, as on a region. */
  readonly host: string | ((credentials: Credentials) => string)
  /** The credentials it cannot work without. */
  readonly credentials: readonly string[]
  readonly optionalCredentials?: readonly string[] | undefined
  readonly abilities: Abilities
  /**
   * What becomes of each option, in one phrase with the vendor's own name for it; null: the vendor has nothing like it,
   * which the call's notes say to whoever asks for it.
   */
  readonly options: Readonly<Record<OptionName, string | null>>
  /** Those of `options` that it has for others and not for these: the notes say so as well. */
  readonly lacks?: ((asked: Asked<Options>) => readonly OptionName[]) | undefined
  /** Undefined: there is no harmless request. */
  readonly check?: ((account: VendorAccount) => VendorCheck | Promise<VendorCheck>) | undefined
  /** For the length of a call. */
  readonly open: (account: VendorAccount) => Engine
}

export type SttVendor = Vendor<
  TranscriberAbilities & {
    /** Sends words while they are spoken; otherwise, once an utterance is over. */
    readonly streaming: boolean
    readonly wordTimes: boolean
  },
  Transcriber,
  TranscriberOptions,
  TranscriberOptionName
>

export type TtsVendor = Vendor<
  SynthesizerAbilities & {
    /** Takes clauses over one connection; otherwise, one request each. */
    readonly streaming: boolean
  },
  Synthesizer,
  SynthesizerOptions,
  SynthesizerOptionName
>
