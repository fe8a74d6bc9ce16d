// The question whether an agent's engines serve its language, asked when it is saved.

export interface LanguageQuestion {
  readonly part: 'synthesizer' | 'transcriber'
  /** The vendor that the agent names; null: none, so the offline engine. */
  readonly asked: string | null
  /** Vendors that the agent would rather have than the offline engine. */
  readonly fallbacks: readonly string[]
  /** As it was written. */
  readonly language: string
}

/** One sentence with the remedy, or none: it is served, or no language is named. */
export interface LanguageVerdict {
  /** No engine of the agent serves it. */
  readonly refusal?: string
  /** Another engine serves it, or it is not known whether it is served. */
  readonly warning?: string
}

export type JudgeLanguage = (question: LanguageQuestion) => LanguageVerdict
