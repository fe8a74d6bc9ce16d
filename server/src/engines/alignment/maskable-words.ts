// The words of an utterance with times by which they can be covered with a tone: each with as much sound around it as
// it may really have, and no words at all in case of doubt.
import type { HeardWord } from '../../ports/transcriber.ts'
import type { TimedWord } from './word-times.ts'

// How much a word begins before and ends after what the decoder attended to. The decoder attends to the next word too
// early, so ends are further off. Chosen on one set of sentences and measured on another by bench/masked-words.ts.
const beforeMs = 150
const afterMs = 400

// The longest durations in slow speech. Digits are words, and a short word may be drawn out.
const mostMs = { word: 600, letter: 150, digit: 800 }

/** The words with times; undefined if one is so long that the recognizer has left out something beside it. */
export const maskableWords = (words: readonly TimedWord[]): readonly HeardWord[] | undefined =>
  words.every(isPlausible)
    ? words.map(({ text, fromMs, toMs }) => ({ text, startMs: fromMs - beforeMs, endMs: toMs + afterMs }))
    : undefined

function isPlausible({ text, fromMs, toMs }: TimedWord): boolean {
  const digits = text.match(/\p{N}/gu)?.length ?? 0
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return toMs - fromMs <= mostMs.word + letters * mostMs.letter + digits * mostMs.digit
}
