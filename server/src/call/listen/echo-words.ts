// Takes the agent's own words out of what was heard on a line that may echo.
import { wordsOf } from '../turn/word-list.ts'

/** Whose voice said the words. */
export type Speaker = 'caller' | 'doubtful' | 'agent'

interface Likeness {
  /** Of the words so many are the same, the others misheard. */
  readonly alike: number
  /** Fewer are no echo. */
  readonly fewest: number
  readonly isSame: (word: string, own: string) => boolean
}

// A recognizer hears an echo badly, and may leave out two words in a row.
const leftOut = 2

const likeness: Readonly<Record<Exclude<Speaker, 'agent'>, Likeness>> = {
  // A word or two are repeated by anybody who agrees.
  caller: { alike: 0.75, fewest: 3, isSame: (word, own) => word === own },
  // "The book is here", softly, is "Buddha's here".
  doubtful: { alike: 0.5, fewest: 1, isSame: isTornFrom },
}

/** What is left of the heard words when those at the beginning repeat what was said, in its order. */
export function withoutEcho(heard: string, said: string, speaker: Speaker): string {
  if (speaker === 'agent') return ''
  const spoken = heard.split(/\s+/).filter((word) => wordsOf(word).length > 0)
  const plain = spoken.map((word) => wordsOf(word).join(''))
  const own = wordsOf(said)
  const like = likeness[speaker]
  const echoed = Math.max(0, ...own.map((_, start) => echoedFrom(start, plain, own, like)))
  if (echoed < like.fewest) return heard
  // What is cut off in the middle of a word is heard as some other: "The boo–" as "The but".
  const isTorn = speaker === 'doubtful' && echoed === spoken.length - 1
  return isTorn ? '' : spoken.slice(echoed).join(' ')
}

/** How many of the heard words follow what was said from `start` on. */
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
    // A word that was misheard stands for one of ours, or for none.
    const ahead = said.slice(at, at + leftOut + missed + 1).findIndex((own) => isSame(word, own))
    missed = ahead < 0 ? missed + 1 : 0
    if (ahead < 0) return
    at += ahead + 1
    matched++
    if (matched >= (place + 1) * alike) echoed = place + 1
  })
  return echoed
}

// "wel" of "welcome" may be heard as "will" or "well"; two sounds are common to too many words.
const firstSounds = 3

/** Whether it is the word, its beginning, or begins with the same sounds. */
function isTornFrom(word: string, own: string): boolean {
  if (word === own || (word.length > 1 && own.startsWith(word))) return true
  const sounds = soundsOf(word)
  return sounds.length >= firstSounds && soundsOf(own).startsWith(sounds.slice(0, firstSounds))
}

/** One vowel is heard as another, and a long one as a short one: "welcome" → "w.lc.m.". */
const soundsOf = (word: string): string => word.replace(/[aeiouy]+/g, '.')
