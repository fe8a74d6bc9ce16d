// Assigns speakers to words: each word gets the speaker of the nearest window.
import type { HeardVoice } from '../xvector/group-voices.ts'
import type { SpokenWord } from './spoken-words.ts'

type Window = Pick<HeardVoice, 'fromMs' | 'toMs'>

/** Both in chronological order. Speakers are numbered in order of appearance. */
export function withSpeakers(
  words: readonly SpokenWord[],
  windows: readonly Window[],
  people: readonly number[],
): SpokenWord[] {
  const numbers = new Map<number, number>()
  let place = 0
  return words.map((word) => {
    const middleMs = (word.fromMs + word.toMs) / 2
    while (
      place + 1 < windows.length &&
      distance(windows[place + 1], middleMs) <= distance(windows[place], middleMs)
    )
      place++
    const person = people[place]
    if (person === undefined) return word
    if (!numbers.has(person)) numbers.set(person, numbers.size)
    return { ...word, speaker: numbers.get(person) ?? null }
  })
}

/** From the middle of the window; a word inside is nearer than any outside. */
function distance(window: Window | undefined, ms: number): number {
  if (!window) return Number.POSITIVE_INFINITY
  const fromMiddleMs = Math.abs(ms - (window.fromMs + window.toMs) / 2)
  const inside = ms >= window.fromMs && ms <= window.toMs
  return inside ? fromMiddleMs : fromMiddleMs + 60_000
}
