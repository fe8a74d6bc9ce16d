// What an agent's wishes mean to vendors that do not use its words for them.

import { rates as allRates } from '../../../media/frame.ts'
import { codeOfLanguage } from '../../../platform/language-names.ts'
import type { HeardWord, TranscriberOptions, TranscriptEvent } from '../../../ports/transcriber.ts'
import type { AskedOptions, TranscriberOptionName } from '../../../ports/vendor.ts'
import { type LanguageSpelling, writtenLanguage } from '../written-language.ts'
import type { SoundTaken } from './sound.ts'

// The model of agents that were created without one, which is Deepgram's.
const usualModel = 'nova-2'

/** The model that the agent chose, or the vendor's own recommendation. */
export const modelOr = (recommended: string, { model }: Pick<TranscriberOptions, 'model'>): string =>
  model === '' || model === usualModel ? recommended : model

type LanguageWish = Pick<TranscriberOptions, 'language'>

/** Whether the language is whichever the caller speaks; `multi` is Deepgram's word for it. */
export const isAny = ({ language = '' }: LanguageWish): boolean =>
  ['auto', 'multi'].includes(language.trim().toLowerCase())

type OwnNames = LanguageSpelling['own']

/** `pt` of `pt-BR` and of `Portuguese`; undefined: none is named, so the vendor finds out. */
export const languageOf = ({ language }: LanguageWish, own?: OwnNames): string | undefined =>
  writtenLanguage(language, { region: 'never', ...(own && { own }) })

/**
 * With a region, for vendors that insist on one: the agent's, or the usual one of the language, as in `de-DE`. Undefined:
 * whichever the caller speaks; English if none is named, as with the offline engines.
 */
export function localeOf({ language }: LanguageWish, own?: OwnNames): string | undefined {
  if (isAny({ language })) return undefined
  return writtenLanguage(language, { region: 'always', ...(own && { own }) }) ?? 'en-US'
}

/** Vendors whose models were made from Whisper have its codes, some of which ISO 639 has replaced. */
export const whisperCodes = { nb: 'no', fil: 'tl', jv: 'jw' } as const

// The endpointing of agents that were created without one: whoever has it wants what vendors recommend.
const usualEndpointingMs = 500

/**
 * How patient an agent is with pauses, for vendors that detect turns: what they recommend is multiplied by this. 1: as
 * they recommend.
 */
export const patienceOf = ({ endpointingMs }: Pick<TranscriberOptions, 'endpointingMs'>): number =>
  endpointingMs / usualEndpointingMs

/** What a vendor recommends, as patiently as the agent wants it, within what the vendor accepts. */
export const patiently = (
  recommended: number,
  [least, most]: readonly [least: number, most: number],
  options: Pick<TranscriberOptions, 'endpointingMs'>,
): number => Math.min(Math.max(Math.round(recommended * patienceOf(options)), least), most)

export const isTranslation = ({ task }: TranscriberOptions): boolean => task === 'translate'

// Fewer words than this are often taken for another language.
const fewestWords = 3

/** Reports the caller's language where the vendor is left to find out, and when it changes in the middle of a call. */
export class CallerLanguages {
  readonly #isOpen: boolean
  #spoken: string | undefined
  #suspected: string | undefined

  constructor(options: TranscriberOptions) {
    this.#isOpen = isAny(options)
  }

  /** The events to send before the words that show the language. */
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

/** The same for vendors that are sure of what they tell: every other language is reported at once. */
export function newLanguageTold(wish: LanguageWish) {
  let last: string | undefined
  return (told: string | null | undefined): readonly TranscriptEvent[] => {
    const language = told?.split('-')[0]
    if (!isAny(wish) || !language || language === last) return []
    last = language
    return [{ type: 'language', language }]
  }
}

interface TimedWord {
  readonly start: number
  readonly end: number
}

/** Words with times in seconds from the beginning of the stream, as most vendors write them. */
export const wordsInMs = <Word extends TimedWord>(
  words: readonly Word[],
  textOf: (word: Word) => string,
): readonly HeardWord[] =>
  words.map((word) => ({ text: textOf(word), startMs: word.start * 1_000, endMs: word.end * 1_000 }))

interface TakenSound extends Omit<SoundTaken, 'chunkMs'> {
  /** Undefined: `transcribe` only. */
  readonly tasks?: readonly string[] | undefined
}

/** What an agent may ask for that the vendor has in another form only: another rate, encoding or task. */
export const lacksOf =
  ({ rates = allRates, encodings = ['linear16'], tasks = ['transcribe'] }: TakenSound) =>
  (asked: AskedOptions<TranscriberOptions>): readonly TranscriberOptionName[] => {
    const lacks = <Value>(name: TranscriberOptionName, value: Value | undefined, known: readonly Value[]) =>
      value === undefined || known.includes(value) ? [] : [name]
    return [
      ...lacks<number>('samplingRateHz', asked.samplingRateHz, rates),
      ...lacks<string>('encoding', asked.encoding, encodings),
      ...lacks('task', asked.task, tasks),
    ]
  }

/** For vendors that translate to English as well. */
export const translatesToo = ['transcribe', 'translate'] as const

/** What most vendors can do over a socket. */
export const usualSttAbilities = {
  streaming: true,
  keyterms: true,
  wordTimes: true,
} as const

/** What becomes of options that most vendors treat alike. */
export const usualSttOptions = {
  task: null,
  turnDetection: null,
  stream: 'always: it sends words while they are spoken',
} as const
