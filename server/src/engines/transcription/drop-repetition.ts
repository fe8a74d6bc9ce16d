// A decoder stuck in a loop repeats a phrase over and over; only its first occurrence is kept.
import type { TimedWord } from '../alignment/word-times.ts'

// People say "no, no, no, no, no"; more repetitions are the decoder's.
const mostTimes = 5
const longestPhrase = 12

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
