// The options of a vendor's own: what its interface has besides what agents ask of every vendor. They are data, from which
// agents are checked, requests are made and the documentation is written.
import type { z } from 'zod'

export interface OwnOption {
  /** Where it goes in what the vendor is sent, by a name that its folder gives. */
  readonly place: string
  readonly schema: z.ZodType
  /** What a value is, to follow "must be". */
  readonly form: string
  /** What it does, in one phrase. */
  readonly effect: string
}

/** What the vendor's interface depends on. */
export interface OwnOptionsWish {
  readonly model?: string | undefined
  readonly voice?: string | undefined
  readonly voiceId?: string | undefined
}

export interface OwnOptions {
  /** By the vendor's own names, with the objects around them: `voice_settings.style`. */
  readonly known: Readonly<Record<string, OwnOption>>
  /** What the interface has and agents cannot give, with the reason, to follow a colon. */
  readonly withheld: Readonly<Record<string, string>>
  /** The places that this model or voice has; undefined: all. */
  readonly placesFor?: ((wish: OwnOptionsWish) => readonly string[]) | undefined
}

/** Values that an agent gives, checked, by the names in `known`. */
export type OwnValues = Readonly<Record<string, unknown>>

/** What a `provider_config` belongs to. */
export type OptionsPart = 'synthesizer' | 'transcriber'

export interface OptionProblem {
  /** Within the `provider_config`. */
  readonly name: string
  /** One sentence, with what to do. */
  readonly message: string
}

/** The question what of a `provider_config` would not be sent, asked when an agent is saved. */
export interface OptionsQuestion {
  readonly part: OptionsPart
  /** The vendor that the agent names; null: none, so the offline engine. */
  readonly asked: string | null
  readonly config: Readonly<Record<string, unknown>>
  readonly wish: OwnOptionsWish
}

export type JudgeOptions = (question: OptionsQuestion) => readonly OptionProblem[]

/** A vendor as far as its own options are concerned. */
export interface OptionOwner {
  readonly label: string
  readonly ownOptions: OwnOptions
}
