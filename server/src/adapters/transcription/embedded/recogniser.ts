// Who understands the pieces of a recording: Moonshine for English, whisper for everything else.
import type { TimedWord } from '../../embedded/alignment/word-times.ts'
import type { MoonshinePieces } from '../../embedded/moonshine/moonshine-pieces.ts'
import { isSpaced } from '../../embedded/whisper/languages.ts'
import type { Whisper } from '../../embedded/whisper/whisper.ts'
import { withoutLoops } from './loops.ts'
import type { PieceRules } from './pieces.ts'

export interface Recogniser {
  readonly rules: PieceRules
  /** Whether there are spaces between the words. */
  readonly spaced: boolean
  recognise(samples: Int16Array, signal: AbortSignal): Promise<TimedWord[]>
}

// Moonshine takes longer than in proportion for long pieces, and understands short ones worse.
export const moonshineRules: PieceRules = { longestMs: 15_000, silenceMs: 1_200 }
// Whisper takes the same time for a word as for half a minute, so that pieces are as long as it can hear.
export const whisperRules: PieceRules = { longestMs: 28_000, silenceMs: 2_000 }

// Below this a piece of noise was taken for speech; people who mumble are above it.
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

/** What is left when loops and what was only guessed are taken away. */
function believed(words: readonly TimedWord[]): TimedWord[] {
  const once = withoutLoops(words)
  const confidence = once.reduce((sum, word) => sum + word.confidence, 0) / Math.max(1, once.length)
  return confidence < leastConfidence ? [] : once
}
