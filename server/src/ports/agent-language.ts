// The question whether an agent's engines serve its language, asked when it is saved.

export interface LanguageQuestion {
  readonly part: 'synthesizer' | 'transcriber'
  /** The vendor that the agent names; null: none, so the offline engine. */
  readonly asked: string | null
  /** Vendors that the agent prefers to the offline engine. */
  readonly fallbacks: readonly string[]
  /** The language as the user wrote it. */
  readonly language: string
}

/** Sentences with a remedy; both are absent if the language is served, or none is named. */
export interface LanguageVerdict {
  /** Why no engine of the agent serves the language. */
  readonly refusal?: string
  /** A warning that another engine serves the language, or that it is not known whether it is served. */
  readonly warning?: string
}

export type JudgeLanguage = (question: LanguageQuestion) => LanguageVerdict
