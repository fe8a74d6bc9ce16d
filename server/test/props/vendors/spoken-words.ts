// What the loopback synthesizers say: every word lasts 200 ms and has a sample value of its own, which identifies it on
// the line, at whatever rate it was synthesized.

import { frameMs } from '../../../src/media/frame.ts'

export const wordMs = 200

// The levels are far enough apart for the ripple of a resampler.
const apart = 300
// As many as there are levels of 16 bits. Test files of one process share them.
const mostWords = 100
/** The level of each word, the word that was not said for longest first. */
const levels = new Map<string, number>()
const words: string[] = []

export function sampleOf(word: string): number {
  const level = levels.get(word) ?? freeLevel()
  levels.delete(word)
  levels.set(word, level)
  words[level] = word
  return level * apart
}

function freeLevel(): number {
  const [oldest] = levels
  if (!oldest || levels.size < mostWords) return levels.size + 1
  levels.delete(oldest[0])
  return oldest[1]
}

export const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean)

/** 16-bit PCM of one word. */
export const soundOf = (word: string, rateHz: number): Buffer =>
  Buffer.from(new Int16Array((rateHz * wordMs) / 1000).fill(sampleOf(word)).buffer)

/** The sound in pieces that are no whole number of frames, nor of samples. */
export const piecesOf = (sound: Buffer): readonly Buffer[] => [
  sound.subarray(0, 1_001),
  sound.subarray(1_001),
]

/** The words of which at least three frames in a row were heard, by the first sample of each frame. */
export function heardWords(samples: readonly number[]): readonly string[] {
  const heard: string[] = []
  let last = ''
  let run = 0
  for (const sample of samples) {
    const word = wordAt(sample)
    run = word === last ? run + 1 : 1
    last = word
    if (word && run === 3) heard.push(word)
  }
  return heard
}

// A voice that takes over in the middle of a word begins it again, and the edges of a word are resampled.
const missingFrames = 2

/** Every word as often as it was played whole, wherever its frames are. */
export function wholeWords(samples: readonly number[]): readonly string[] {
  const frames = new Map<string, number>()
  for (const sample of samples) frames.set(wordAt(sample), (frames.get(wordAt(sample)) ?? 0) + 1)
  frames.delete('')
  return [...frames].flatMap(([word, count]) =>
    Array<string>(Math.floor((count + missingFrames) / (wordMs / frameMs))).fill(word),
  )
}

function wordAt(sample: number): string {
  const index = Math.round(sample / apart)
  return Math.abs(sample - index * apart) < apart / 5 ? (words[index] ?? '') : ''
}
