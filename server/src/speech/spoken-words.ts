// Prepares the text that a voice is given: figures and signs in words, and the words of the dictionary as they are to
// be pronounced. The call, and with it the transcript, keeps what was written.

import { languageCode } from '../engines/language-code.ts'
import { phoneticText } from '../engines/pronunciation/phonetic.ts'
import { spokenFormOf, spokenForms } from '../engines/spoken-form/index.ts'
import { oneOf } from '../engines/spoken-form/rule.ts'
import type { Pronunciation, SynthesisStream, Synthesizer, SynthesizerOptions } from '../ports/synthesizer.ts'
import type { TtsVendor } from '../ports/vendor.ts'
import { languageOfText } from './text-language.ts'

export interface VoiceReading {
  /** Whether the voice itself says figures, dates and signs as people do. */
  readonly readsFigures: boolean
  /** How the voice is told a pronunciation: as sounds in the text, by its options, or by respelling only. */
  readonly takes: 'sounds' | 'options' | 'respelling'
}

/** The reading of a vendor's voice, by its description. */
export const vendorReading = ({
  abilities,
  options,
}: Pick<TtsVendor, 'abilities' | 'options'>): VoiceReading => ({
  readsFigures: abilities.readsFigures ?? false,
  takes: options?.pronunciations ? 'options' : 'respelling',
})

/** The offline voices have spoken forms of their own, sentence by sentence. */
export const embeddedReading: VoiceReading = { readsFigures: true, takes: 'sounds' }

export function spokenWords(synthesizer: Synthesizer, reading: VoiceReading): Synthesizer {
  const { abilities, warm, close } = synthesizer
  // Divides the dictionary into what the voice is told and what is respelled before it gets the text.
  const shared = (options: SynthesizerOptions) => {
    const entries = entriesFor(options)
    if (reading.takes !== 'options') return { entries, options: { ...options, pronunciations: undefined } }
    const [told, respelled] = [entries.filter(hasSounds), entries.filter((entry) => !hasSounds(entry))]
    return { entries: respelled, options: { ...options, pronunciations: told } }
  }
  return {
    abilities,
    open(options, signal) {
      const own = shared(options)
      const read = reader(own.entries, options.language, reading)
      return rewording(synthesizer.open(own.options, signal), read)
    },
    ...(warm && { warm: (options, signal) => warm.call(synthesizer, shared(options).options, signal) }),
    ...(close && { close: () => close.call(synthesizer) }),
  }
}

const hasSounds = ({ ipa }: Pronunciation): boolean => ipa !== undefined

const codeOf = (language: string | undefined) => languageCode(language, Object.keys(spokenForms))

const entriesFor = ({ pronunciations = [], language }: SynthesizerOptions): readonly Pronunciation[] => {
  const code = codeOf(language)
  return pronunciations.filter(
    (entry) => entry.language === undefined || code === undefined || entry.language === code,
  )
}

function reader(
  entries: readonly Pronunciation[],
  language: string | undefined,
  { readsFigures, takes }: VoiceReading,
): (clause: string) => string {
  const code = codeOf(language)
  const formOf = (text: string) =>
    // An agent without a language speaks the language of its words.
    readsFigures ? undefined : spokenFormOf(code ?? languageOfText(text) ?? 'en')
  const replace = replacer(entries, takes === 'sounds')
  return (clause) => {
    const replaced = replace?.(clause) ?? clause
    return formOf(replaced)?.(replaced) ?? replaced
  }
}

/** Replaces whole words, whatever their capitals; of two entries for the same words the later one counts. */
function replacer(
  entries: readonly Pronunciation[],
  takesSounds: boolean,
): ((text: string) => string) | undefined {
  const said = new Map<string, string>()
  for (const { written, spokenAs, ipa } of entries) {
    const sounds = takesSounds && ipa !== undefined ? phoneticText(ipa) : spokenAs
    if (sounds !== undefined) said.set(written.toLowerCase(), sounds)
  }
  if (said.size === 0) return undefined
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}])(?:${oneOf([...said.keys()])})(?![\\p{L}\\p{M}\\p{N}])`,
    'giu',
  )
  return (text) => text.replace(pattern, (word) => said.get(word.toLowerCase()) ?? word)
}

/** A stream whose clauses are rewritten before the engine gets them. */
export const rewording = (stream: SynthesisStream, read: (clause: string) => string): SynthesisStream => ({
  write: (clause) => stream.write(read(clause)),
  flush: () => stream.flush(),
  finish: () => stream.finish(),
  cancel: () => stream.cancel(),
  [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
})
