// The times of the caller's words, as far as the transcriber tells them.
import type { HeardWord } from '../../ports/transcriber.ts'

// Nobody says more words before they become an entry of the transcript.
const mostWords = 500
// A voice detector and a transcriber disagree a little on when a word begins and ends.
const apartMs = 1_000

interface Span {
  readonly startMs: number
  readonly endMs: number
}

export class HeardWords {
  /** The words with times on the clock of the call. */
  #words: readonly HeardWord[] = []

  add(words: readonly HeardWord[]): void {
    this.#words = [...this.#words, ...words].slice(-mostWords)
  }

  /**
   * Finds the words of a text that was said last, with their times. Returns none unless every letter and digit of the
   * text belongs to a word that was said within the span, because personal data is cut out of recordings by these
   * times.
   */
  timesOf(text: string, span: Span): readonly HeardWord[] {
    const signs = [...text.matchAll(sign)]
    const matches: HeardWord[] = []
    let left = signs.length
    for (const word of this.#words.toReversed()) {
      if (left === 0) break
      const ofWord = [...word.text.matchAll(sign)].map(([letter]) => letter)
      const ofText = signs.slice(Math.max(0, left - ofWord.length), left)
      if (!isSame(ofWord, ofText) || !isWithin(word, span)) return []
      const [first, last] = [ofText[0], ofText.at(-1)]
      if (!first || !last) continue
      matches.unshift({ ...word, text: text.slice(first.index, last.index + last[0].length) })
      left -= ofWord.length
    }
    return left === 0 ? matches : []
  }
}

const isWithin = (word: Span, { startMs, endMs }: Span): boolean =>
  word.startMs >= startMs - apartMs && word.endMs > word.startMs && word.endMs <= endMs + apartMs

const sign = /[\p{L}\p{M}\p{N}]/gu

const isSame = (one: readonly string[], other: readonly RegExpExecArray[]): boolean =>
  one.length === other.length &&
  one.every((letter, place) => letter.toLowerCase() === other[place]?.[0].toLowerCase())
