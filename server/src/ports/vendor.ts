// The description of a speech vendor, by which it can be chosen, checked and opened.
import type { ToldEnds } from '@parley/contract/model-ends'
import type { AccountService } from './account-address.ts'
import type { OwnOptions } from './own-options.ts'
import type { Synthesizer, SynthesizerAbilities, SynthesizerOptions } from './synthesizer.ts'
import type { Transcriber, TranscriberAbilities, TranscriberOptions } from './transcriber.ts'

type Credentials = Readonly<Record<string, string>>

/** An account at a vendor. It holds secrets: never log it. */
export interface VendorAccount {
  /** The credentials by the names that the vendor's description lists. */
  readonly credentials: Credentials
  /** An address in place of the vendor's own host (a region, a proxy, a test), as in https://eu.example.com. */
  readonly baseUrl?: string | undefined
  /** A lookup that resolves to public addresses only, where a user chose `baseUrl`; undefined: as the system does. */
  readonly lookup?: HostLookup | undefined
}

/** A lookup as Node's own `dns.lookup`. */
export type HostLookup = (
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
  /** The ends of models that an answer tells, where the vendor lists its models with them. */
  readonly endsIn?: ((answer: unknown) => ToldEnds) | undefined
  /** The header in which the vendor says why it refuses; undefined: the body does. */
  readonly refusalHeader?: string | undefined
}

/** The vendor's answer to a check; `ok` null: it could not be found out. */
export interface CheckAnswer {
  readonly ok: boolean | null
  readonly status: number | null
  /** One sentence. */
  readonly message: string
  /** Undefined: the vendor does not tell. */
  readonly ends?: ToldEnds | undefined
}

export type VendorUse = 'synthesizer' | 'transcriber' | 'language_model'

/** A company whose credentials can be stored, whatever it is asked for. */
export interface CredentialVendor {
  readonly label: string
  readonly uses: readonly VendorUse[]
  /** The names by which agents use the company. */
  readonly agentNames: readonly string[]
  readonly fields: readonly CredentialField[]
  /** The installation's account; undefined: it has none. */
  readonly installed: VendorAccount | undefined
  /** Checks an account with one harmless request, to one of its services if one is named. */
  check(account: VendorAccount, service?: AccountService): Promise<CheckAnswer>
}

export interface CredentialField {
  readonly name: string
  readonly isRequired: boolean
  readonly isSecret: boolean
}

/** The options that an agent may ask of a synthesizer. Caching is ours with every vendor. */
export type SynthesizerOptionName = Exclude<keyof SynthesizerOptions, 'own' | 'rateHz'>

/** The options that an agent may ask of a transcriber. */
export type TranscriberOptionName = Exclude<keyof TranscriberOptions, 'own' | 'rateHz' | 'wordTimes'>

/** Some of the options; undefined: not asked for. */
export type AskedOptions<Options> = { readonly [Name in keyof Options]?: Options[Name] | undefined }

interface Vendor<Abilities, Engine, Options, OptionName extends string> {
  /** Display name. */
  readonly label: string
  /** The vendor's host, unless an account overrides it; a function if it depends on a credential, as on a region. */
  readonly host: string | ((credentials: Credentials) => string)
  /** The credentials without which the vendor cannot work. */
  readonly credentials: readonly string[]
  readonly optionalCredentials?: readonly string[] | undefined
  readonly abilities: Abilities
  /**
   * What becomes of each option, in one phrase with the vendor's own name for it; null: the vendor has nothing like
   * it, and the call's notes say so to those who ask for it.
   */
  readonly options: Readonly<Record<OptionName, string | null>>
  readonly ownOptions: OwnOptions
  /** The options that the vendor has for others and not for these settings: the notes say so as well. */
  readonly lacks?: ((asked: AskedOptions<Options>) => readonly OptionName[]) | undefined
  /** The request that checks an account; undefined: there is no harmless one. */
  readonly check?: ((account: VendorAccount) => VendorCheck | Promise<VendorCheck>) | undefined
  /** Opens an engine for the length of a call. */
  readonly open: (account: VendorAccount) => Engine
}

export type SttVendor = Vendor<
  TranscriberAbilities & {
    /** Whether words are sent while they are spoken; otherwise, once an utterance is over. */
    readonly streaming: boolean
    readonly wordTimes: boolean
  },
  Transcriber,
  TranscriberOptions,
  TranscriberOptionName
>

export type TtsVendor = Vendor<
  SynthesizerAbilities & {
    /** Whether clauses go over one connection; otherwise, one request each. */
    readonly streaming: boolean
    /** How long its first sound may take before another voice speaks; undefined: as usual for its kind. */
    readonly patienceMs?: number | undefined
  },
  Synthesizer,
  SynthesizerOptions,
  SynthesizerOptionName
>
