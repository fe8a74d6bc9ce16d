// Words with their times in a recording.
import type { TimedWord } from '../alignment/word-times.ts'
import type { RecordingPiece } from './piece-cutter.ts'

/** A word; times are from the beginning of the recording. */
export interface RecordedWord extends TimedWord {
  readonly speaker: number | null
}

/** Converts times in a piece to times in the recording; the first word of a piece gets its leading space. */
export const inRecording = (
  words: readonly TimedWord[],
  { fromMs }: Pick<RecordingPiece, 'fromMs'>,
  spaced: boolean,
): RecordedWord[] =>
  words.map((word, place) => ({
    ...word,
    text: place === 0 && spaced && !word.text.startsWith(' ') ? ` ${word.text}` : word.text,
    fromMs: fromMs + word.fromMs,
    toMs: fromMs + word.toMs,
    speaker: null,
  }))
