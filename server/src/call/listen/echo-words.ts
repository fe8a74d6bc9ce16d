// Removes the agent's own words from a transcript on a line that may echo.
import { wordsOf } from '../turn/word-list.ts'

/** Whose voice spoke the words. */
export type VoiceOwner = 'caller' | 'doubtful' | 'agent'

interface Likeness {
  /** Share of the words that must match; transcribers mishear the others. */
  readonly alike: number
  /** Heard words that are fewer than this are not an echo. */
  readonly fewest: number
  readonly isSame: (word: string, own: string) => boolean
}

// Transcribers mishear echoes, and may drop two words in a row.
const leftOut = 2

const likeness: Readonly<Record<Exclude<VoiceOwner, 'agent'>, Likeness>> = {
  // People often repeat a word or two to agree.
  caller: { alike: 0.75, fewest: 3, isSame: (word, own) => word === own },
  // "The book is here", softly, is transcribed as "Buddha's here".
  doubtful: { alike: 0.5, fewest: 1, isSame: isTornFrom },
}

/** What remains of the heard words after removing those at the beginning that repeat what was said, in order. */
export function withoutEcho(heard: string, said: string, speaker: VoiceOwner): string {
  if (speaker === 'agent') return ''
  const spoken = heard.split(/\s+/).filter((word) => wordsOf(word).length > 0)
  const plain = spoken.map((word) => wordsOf(word).join(''))
  const own = wordsOf(said)
  const like = likeness[speaker]
  const echoed = Math.max(0, ...own.map((_, start) => echoedFrom(start, plain, own, like)))
  if (echoed < like.fewest) return heard
  // A word that is cut off is transcribed as another: "The boo–" as "The but".
  const isTorn = speaker === 'doubtful' && echoed === spoken.length - 1
  return isTorn ? '' : spoken.slice(echoed).join(' ')
}

/** Counts the heard words that match what was said, from `start` on. */
function echoedFrom(
  start: number,
  heard: readonly string[],
  said: readonly string[],
  { alike, isSame }: Likeness,
): number {
  let at = start
  let matched = 0
  let missed = 0
  let echoed = 0
  heard.forEach((word, place) => {
    // A misheard word replaces one of ours, or none.
    const ahead = said.slice(at, at + leftOut + missed + 1).findIndex((own) => isSame(word, own))
    missed = ahead < 0 ? missed + 1 : 0
    if (ahead < 0) return
    at += ahead + 1
    matched++
    if (matched >= (place + 1) * alike) echoed = place + 1
  })
  return echoed
}

// "wel" of "welcome" may be transcribed as "will" or "well"; two sounds are common to too many words.
const firstSounds = 3

/** Whether the heard word is our own word, a prefix of it, or begins with the same sounds. */
function isTornFrom(word: string, own: string): boolean {
  if (word === own || (word.length > 1 && own.startsWith(word))) return true
  const sounds = soundsOf(word)
  return sounds.length >= firstSounds && soundsOf(own).startsWith(sounds.slice(0, firstSounds))
}

/** Vowels are confused with each other, long ones with short ones: "welcome" → "w.lc.m.". */
const soundsOf = (word: string): string => word.replace(/[aeiouy]+/g, '.')
