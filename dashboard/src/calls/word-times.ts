// The times at which the words of a line were said. Where the record has none, they are estimated between the start and the
// end of the line: a word takes as long as it has letters, and none is said while that side is silent. Pure.
import type { TranscriptLine } from '@parley/contract'
import type { SpokenWord } from '../ui/sound/spoken-words.tsx'

/** How loud one side of a recording is, in equal stretches from its start to its end. */
export interface Loudness {
  readonly seconds: number
  readonly peaks: readonly number[]
}

interface Span {
  readonly start: number
  readonly end: number
}

// Sound below this share of a line's loudest peak is breath, noise or echo.
const silentShare = 0.08
// A digit counts as this many letters: "7" is written with one sign and said with a word.
const lettersOfDigit = 4

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

type Line = Pick<TranscriptLine, 'content' | 'start_time' | 'end_time' | 'word_times'>

export const wordTimesOf = (line: Line, loudness: Loudness | undefined): SpokenWord[] =>
  recorded(line) ?? estimated(line, loudness)

/** A word lasts until the next one begins. */
function recorded({ content, end_time, word_times }: Line): SpokenWord[] | undefined {
  const words = content.match(/\S+\s*/g) ?? []
  if (word_times?.length !== words.length) return undefined
  return words.map((word, place) => ({
    word,
    start: word_times[place] ?? 0,
    end: word_times[place + 1] ?? Math.max(end_time, word_times[place] ?? 0),
  }))
}

function estimated({ content, start_time, end_time }: Line, loudness: Loudness | undefined): SpokenWord[] {
  const words = wordsIn(content)
  const lengths = words.map(lengthOf)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const loud = loudSpans({ start: start_time, end: end_time }, loudness)
  let said = 0
  return words.map((word, place) => {
    const start = timeAt(loud, said / total, 'start')
    said += lengths[place] ?? 0
    return { word, start, end: timeAt(loud, said / total, 'end') }
  })
}

/** The words of a text. Signs and spaces between two words belong to the first, so that joining all gives the text. */
function wordsIn(text: string): string[] {
  const words: string[] = []
  let isBegun = false
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (words.length > 0 && !(isWordLike && isBegun)) words[words.length - 1] += segment
    else words.push(segment)
    isBegun ||= isWordLike === true
  }
  return words
}

const lengthOf = (word: string): number =>
  Math.max(
    1,
    [...word].reduce(
      (sum, sign) => sum + (/\p{N}/u.test(sign) ? lettersOfDigit : /\p{L}/u.test(sign) ? 1 : 0),
      0,
    ),
  )

/** The stretches of a line in which its side is heard, or the whole line if the peaks are not known. */
function loudSpans(line: Span, loudness: Loudness | undefined): readonly Span[] {
  const { seconds, peaks } = loudness ?? { seconds: 0, peaks: [] }
  const stretch = seconds / peaks.length
  const first = Math.max(0, Math.floor(line.start / stretch))
  const heard = peaks.slice(first, Math.ceil(line.end / stretch))
  const least = Math.max(...heard) * silentShare
  const spans = heard.flatMap((peak, place): Span[] => {
    const start = Math.max(line.start, (first + place) * stretch)
    const end = Math.min(line.end, (first + place + 1) * stretch)
    return peak > least && end > start ? [{ start, end }] : []
  })
  return spans.length > 0 ? spans : [line]
}

/** The moment by which this share of the loud stretches has been heard. At a pause, a word ends before it and starts after it. */
function timeAt(loud: readonly Span[], share: number, of: keyof Span): number {
  let left = share * loud.reduce((sum, { start, end }) => sum + end - start, 0)
  for (const { start, end } of loud) {
    const length = end - start
    if (left < length || (of === 'end' && left === length)) return start + left
    left -= length
  }
  return loud.at(-1)?.end ?? 0
}
