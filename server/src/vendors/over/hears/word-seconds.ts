// Words with times, as most vendors write them: in seconds from the beginning of the stream.
import type { HeardWord } from '../../../ports/transcriber.ts'

export interface WordSeconds {
  readonly start: number
  readonly end: number
}

export const heardWords = <Word extends WordSeconds>(
  words: readonly Word[],
  textOf: (word: Word) => string,
): readonly HeardWord[] =>
  words.map((word) => ({ text: textOf(word), startMs: word.start * 1_000, endMs: word.end * 1_000 }))
