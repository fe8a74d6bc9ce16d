// Finds words and phrases that must not be said in a text that is still being written. `*` stands for any word, or for
// the rest of one. A user's pattern is matched word by word, so that none of them can take long.

export interface PlacedWord {
  readonly word: string
  readonly start: number
}

export const wordsIn = (text: string): PlacedWord[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*/gu)].map(({ 0: word, index }) => ({
    word: plain(word),
    start: index,
  }))

const plain = (word: string): string => word.toLowerCase().replaceAll('’', "'").normalize('NFC')

interface Phrase {
  readonly written: string
  readonly words: readonly string[]
  /** Scripts without spaces are searched for letter by letter. */
  readonly isUnspaced: boolean
}

export interface Hit {
  readonly phrase: string
  /** The position in the text where the phrase begins. */
  readonly start: number
}

export class ForbiddenPhrases {
  readonly #phrases: readonly Phrase[]

  constructor(written: readonly string[]) {
    this.#phrases = written.map((text) => ({
      written: text,
      words: plain(text).match(/[\p{L}\p{M}\p{N}]+(?:'\p{L}+)*\*?|\*/gu) ?? [],
      isUnspaced: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text),
    }))
  }

  get isEmpty(): boolean {
    return this.#phrases.length === 0
  }

  find(text: string): Hit | undefined {
    const words = wordsIn(text)
    for (const { written, words: wanted, isUnspaced } of this.#phrases) {
      const start = isUnspaced ? text.indexOf(written) : placeOf(words, wanted)
      if (start >= 0) return { phrase: written, start }
    }
    return undefined
  }

  /** The position from which on the text may be the beginning of a phrase; the length of the text if there is none. */
  heldFrom(text: string): number {
    const words = wordsIn(text)
    const from = words.findIndex((_, place) =>
      this.#phrases.some(({ words: wanted }) => begins(words.slice(place), wanted)),
    )
    return words[from]?.start ?? text.length
  }
}

function placeOf(words: readonly PlacedWord[], wanted: readonly string[]): number {
  if (wanted.length === 0) return -1
  const place = words.findIndex((_, at) =>
    wanted.every((pattern, n) => matches(words[at + n]?.word, pattern)),
  )
  return words[place]?.start ?? -1
}

const begins = (words: readonly PlacedWord[], wanted: readonly string[]): boolean =>
  words.length < wanted.length && words.every(({ word }, place) => matches(word, wanted[place] ?? ''))

function matches(word: string | undefined, pattern: string): boolean {
  if (word === undefined) return false
  if (pattern === '*') return true
  return pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern
}
