// Chooses the recognizer for a language: Moonshine for English, whisper for everything else.
import type { TimedWord } from '../alignment/word-times.ts'
import type { MoonshinePieces } from '../moonshine/moonshine-pieces.ts'
import { isSpaced } from '../whisper/languages.ts'
import type { Whisper } from '../whisper/whisper.ts'
import { dropRepetition } from './drop-repetition.ts'
import type { PieceRules } from './pieces.ts'

export interface Recogniser {
  readonly rules: PieceRules
  /** Whether the language separates words with spaces. */
  readonly spaced: boolean
  recognise(samples: Int16Array, signal: AbortSignal): Promise<TimedWord[]>
}

// Moonshine's time grows faster than linearly with length, and its accuracy drops on short pieces.
export const moonshineRules: PieceRules = { longestMs: 15_000, silenceMs: 1_200 }
// Whisper understands better what it hears more of, so pieces are as long as its window allows; a shorter one gets a
// shorter window.
export const whisperRules: PieceRules = { longestMs: 28_000, silenceMs: 2_000 }

// Below this it was noise taken for speech; mumbling stays above.
const leastConfidence = 0.35

export function recogniserFor(
  language: string,
  engines: { readonly english: MoonshinePieces; readonly whisper: Whisper },
): Recogniser {
  const { english, whisper } = engines
  return language === 'en'
    ? {
        rules: moonshineRules,
        spaced: true,
        recognise: async (samples, signal) => believed(await english.recognise(samples, signal)),
      }
    : {
        rules: whisperRules,
        spaced: isSpaced(language),
        recognise: async (samples, signal) => believed(await whisper.recognise(samples, language, signal)),
      }
}

/** Drops repetition loops, and the whole piece if its confidence is too low. */
function believed(words: readonly TimedWord[]): TimedWord[] {
  const once = dropRepetition(words)
  const confidence = once.reduce((sum, word) => sum + word.confidence, 0) / Math.max(1, once.length)
  return confidence < leastConfidence ? [] : once
}
