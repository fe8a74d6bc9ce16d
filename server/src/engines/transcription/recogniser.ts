// Chooses the recognizer for a language: Moonshine for English, whisper for everything else.
import type { TimedWord } from '../alignment/word-times.ts'
import type { MoonshinePieces } from '../moonshine/moonshine.ts'
import { isSpaced } from '../whisper/languages.ts'
import type { Whisper } from '../whisper/whisper.ts'
import type { PieceRules } from './piece-cutter.ts'

export interface Recogniser {
  readonly rules: PieceRules
  /** Whether the language separates words with spaces. */
  readonly spaced: boolean
  recognise(samples: Int16Array, signal: AbortSignal): Promise<TimedWord[]>
}

// Moonshine's time grows faster than linearly with length, and its accuracy drops on short pieces.
export const moonshineRules: PieceRules = { longestMs: 15_000, silenceMs: 1_200 }
// Whisper understands more with more context, so pieces are as long as its window allows; a shorter piece gets a
// shorter window.
export const whisperRules: PieceRules = { longestMs: 28_000, silenceMs: 2_000 }

// A piece with less confidence was noise taken for speech; mumbling stays above.
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

// People say "no, no, no, no, no"; more repetitions are the decoder's.
const mostTimes = 5
const longestPhrase = 12

/** A decoder stuck in a loop repeats a phrase over and over; only its first occurrence is kept. */
export function dropRepetition<Word extends Pick<TimedWord, 'text'>>(words: readonly Word[]): Word[] {
  const kept: Word[] = []
  const spelled = words.map(({ text }) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
  for (let at = 0; at < words.length; ) {
    const loop = loopAt(spelled, at)
    kept.push(...words.slice(at, at + (loop?.phrase ?? 1)))
    at += loop ? loop.phrase * loop.times : 1
  }
  return kept
}

/** The length in words of a phrase that repeats from `at` on, and its repetitions. */
function loopAt(words: readonly string[], at: number): { phrase: number; times: number } | undefined {
  for (let phrase = 1; phrase <= longestPhrase; phrase++) {
    let times = 1
    while (isSame(words, at, at + times * phrase, phrase)) times++
    if (times > mostTimes) return { phrase, times }
  }
  return undefined
}

function isSame(words: readonly string[], one: number, other: number, count: number): boolean {
  if (other + count > words.length) return false
  for (let i = 0; i < count; i++) if (words[one + i] !== words[other + i]) return false
  return true
}
