// Which words of a text were heard when its audio stopped.
import type { SpokenWord } from '../../ports/synthesizer.ts'

export interface HeardSound {
  readonly text: string
  /** Frames synthesized, and frames played. */
  readonly frames: number
  readonly played: number
  /** All its frames have been synthesized. */
  readonly made: boolean
}

// Used while the length of a piece is unknown: about 15 letters a second.
const framesPerLetter = 3.4

/** By the length of the audio: all of it, or the share of letters that was played. */
export function heardOf({ text, frames, played, made }: HeardSound): string {
  if (played === 0) return ''
  if (made && played >= frames) return text
  const expected = made ? frames : Math.max(frames, text.length * framesPerLetter)
  const letters = Math.round((text.length * played) / expected)
  // Half of a word that was cut off is enough to recognize it.
  const begun = /\S*$/.exec(text.slice(0, letters))?.[0] ?? ''
  const rest = /^\S*/.exec(text.slice(letters))?.[0] ?? ''
  const end = begun.length >= rest.length ? letters + rest.length : letters - begun.length
  return text.slice(0, end).trim()
}

// A vendor may report word times slightly after their audio.
const lateMs = 300
// A word is searched for no further ahead than this: a spoken number differs from its digits.
const reachChars = 40

/** By word times. Undefined: they do not reach as far as the audio was played. */
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
    // Half of a word is enough to recognize it.
    if ((word.startMs + word.endMs) / 2 > playedMs) break
    const plain = word.text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    const place = plain ? lower.indexOf(plain, end) : -1
    if (place >= 0 && place - end <= reachChars) end = place + plain.length
  }
  if (end === 0) return ''
  return text.slice(0, end + (/^[^\s\p{L}\p{N}]*/u.exec(text.slice(end))?.[0].length ?? 0)).trim()
}
