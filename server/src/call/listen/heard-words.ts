// When each word of the caller was said, as far as the transcriber tells.
import type { HeardWord } from '../../ports/transcriber.ts'

// More than anybody says before it becomes an entry of the transcript.
const mostWords = 500
// A voice detector and a transcriber do not hear a word begin and end at the same time, but nearly.
const apartMs = 1_000

interface Span {
  readonly startMs: number
  readonly endMs: number
}

export class HeardWords {
  /** In the time of the call. */
  #words: readonly HeardWord[] = []

  add(words: readonly HeardWord[]): void {
    this.#words = [...this.#words, ...words].slice(-mostWords)
  }

  /**
   * The stretches of a text that was said last, with their times. None unless every letter and digit of it is one of a word
   * that was said within the span: somebody relies on it to remove what was said from a recording.
   */
  timesOf(text: string, span: Span): readonly HeardWord[] {
    const signs = [...text.matchAll(sign)]
    const found: HeardWord[] = []
    let left = signs.length
    for (const word of this.#words.toReversed()) {
      if (left === 0) break
      const ofWord = [...word.text.matchAll(sign)].map(([letter]) => letter)
      const ofText = signs.slice(Math.max(0, left - ofWord.length), left)
      if (!isSame(ofWord, ofText) || !isWithin(word, span)) return []
      const [first, last] = [ofText[0], ofText.at(-1)]
      if (!first || !last) continue
      found.unshift({ ...word, text: text.slice(first.index, last.index + last[0].length) })
      left -= ofWord.length
    }
    return left === 0 ? found : []
  }
}

const isWithin = (word: Span, { startMs, endMs }: Span): boolean =>
  word.startMs >= startMs - apartMs && word.endMs > word.startMs && word.endMs <= endMs + apartMs

const sign = /[\p{L}\p{M}\p{N}]/gu

const isSame = (one: readonly string[], other: readonly RegExpExecArray[]): boolean =>
  one.length === other.length &&
  one.every((letter, place) => letter.toLowerCase() === other[place]?.[0].toLowerCase())
