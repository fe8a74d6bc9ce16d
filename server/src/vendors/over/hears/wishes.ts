// What an agent's wishes mean to vendors that do not use its words for them.
import { codeOfLanguage } from '../../../platform/language-names.ts'
import type { TranscriberOptions, TranscriptEvent } from '../../../ports/transcriber.ts'
import { type LanguageSpelling, writtenLanguage } from '../written-language.ts'

// What an agent has that was created without a model: one of Deepgram's.
const usualModel = 'nova-2'

/** The model that the agent chose, or the vendor's own recommendation. */
export const modelOr = (recommended: string, { model }: TranscriberOptions): string =>
  model === '' || model === usualModel ? recommended : model

type Spoken = Pick<TranscriberOptions, 'language'>

/** Whichever the caller speaks; `multi` is what Deepgram calls it. */
export const isAny = ({ language = '' }: Spoken): boolean =>
  ['auto', 'multi'].includes(language.trim().toLowerCase())

type OwnNames = LanguageSpelling['own']

/** `pt` of `pt-BR` and of `Portuguese`; undefined: none is named, so the vendor finds out. */
export const languageOf = ({ language }: Spoken, own?: OwnNames): string | undefined =>
  writtenLanguage(language, { region: 'never', ...(own && { own }) })

/**
 * With a region, for vendors that insist on one: the agent's, or the usual one of the language, as in `de-DE`. Undefined:
 * whichever the caller speaks; English if none is named, as with the offline engines.
 */
export function localeOf({ language }: Spoken, own?: OwnNames): string | undefined {
  if (isAny({ language })) return undefined
  return writtenLanguage(language, { region: 'always', ...(own && { own }) }) ?? 'en-US'
}

/** Vendors whose models were made from Whisper have its codes, some of which ISO 639 has replaced. */
export const whisperCodes = { nb: 'no', fil: 'tl', jv: 'jw' } as const

export const isTranslation = ({ task }: TranscriberOptions): boolean => task === 'translate'

// A short word is often taken for one of another language.
const fewestWords = 3

/** Reports the caller's language where the vendor is left to find out, and when it changes in the middle of a call. */
export class CallerLanguages {
  readonly #isOpen: boolean
  #spoken: string | undefined
  #suspected: string | undefined

  constructor(options: TranscriberOptions) {
    this.#isOpen = isAny(options)
  }

  /** To be sent before the words that show it. */
  hear(told: string | null | undefined, words: string): readonly TranscriptEvent[] {
    const language = codeOfLanguage(told ?? '') ?? undefined
    if (language === this.#spoken) this.#suspected = undefined
    if (!this.#isOpen || language === undefined || words === '' || language === this.#spoken) return []
    const isSure = this.#spoken === undefined || words.split(/\s+/).length >= fewestWords
    const isRepeated = language === this.#suspected
    this.#suspected = language
    if (!isSure && !isRepeated) return []
    this.#spoken = language
    return [{ type: 'language', language }]
  }
}
