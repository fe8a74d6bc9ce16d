// Which words of a text were heard when its sound stopped.
import type { SpokenWord } from '../../ports/synthesizer.ts'

export interface HeardSound {
  readonly text: string
  /** Frames that were made, and those that were heard. */
  readonly frames: number
  readonly played: number
  /** No frame of it comes any more. */
  readonly made: boolean
}

// Where the length of a piece is not known yet: about 15 letters a second.
const framesPerLetter = 3.4

/** By the length of the sound: all of it, or as many letters as its share allows. */
export function heardOf({ text, frames, played, made }: HeardSound): string {
  if (played === 0) return ''
  if (made && played >= frames) return text
  const expected = made ? frames : Math.max(frames, text.length * framesPerLetter)
  const letters = Math.round((text.length * played) / expected)
  // Of a word that was cut off, half is enough to know it.
  const begun = /\S*$/.exec(text.slice(0, letters))?.[0] ?? ''
  const rest = /^\S*/.exec(text.slice(letters))?.[0] ?? ''
  const end = begun.length >= rest.length ? letters + rest.length : letters - begun.length
  return text.slice(0, end).trim()
}

// A vendor may tell the times of words a little after their sound.
const lateMs = 300
// A word is looked for no further ahead than this: a number that is read out stands in other letters.
const reachChars = 40

/** By the times of its words. Undefined: they do not reach as far as the sound was played. */
export function heardByTimes(
  text: string,
  words: readonly SpokenWord[],
  playedMs: number,
): string | undefined {
  const last = words.at(-1)
  if (!last || last.endMs + lateMs < playedMs) return undefined
  const lower = text.toLowerCase()
  let end = 0
  for (const word of words) {
    // Half of a word is enough to know it.
    if ((word.startMs + word.endMs) / 2 > playedMs) break
    const plain = word.text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    const place = plain ? lower.indexOf(plain, end) : -1
    if (place >= 0 && place - end <= reachChars) end = place + plain.length
  }
  if (end === 0) return ''
  return text.slice(0, end + (/^[^\s\p{L}\p{N}]*/u.exec(text.slice(end))?.[0].length ?? 0)).trim()
}
