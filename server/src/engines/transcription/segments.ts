// Groups words into segments that read well as a line of a transcript or subtitle: one sentence, one speaker.
import type { TranscribedSegment, TranscribedWord } from '../../ports/transcription.ts'
import type { TimedWord } from '../alignment/word-times.ts'
import type { HeardVoice } from '../xvector/group-voices.ts'
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

// A silence that ends a segment even inside a sentence.
const pauseMs = 1_000
// After `longMs` a segment ends at a comma, after `longestMs` at any word.
const longMs = 8_000
const longestMs = 14_000

const sentenceEnd = /[.!?…。！？।]["'”’)\]]*$/u
const clauseEnd = /[,;:，、；：]["'”’)\]]*$/u
const abbreviation = /(^|\s)(mr|mrs|ms|dr|st|prof|jr|sr|vs|no|[a-z])\.$/i

export function segmentsOfWords(words: readonly RecordedWord[], withWords: boolean): TranscribedSegment[] {
  const groups: RecordedWord[][] = []
  for (const word of words) {
    const group = groups.at(-1)
    if (group && !isBreak(group, word)) group.push(word)
    else groups.push([word])
  }
  return groups.map((group) => segmentOf(group, withWords))
}

function isBreak(group: readonly RecordedWord[], next: RecordedWord): boolean {
  const [first, last] = [group[0], group.at(-1)]
  if (!first || !last) return false
  if (last.speaker !== next.speaker || next.fromMs - last.toMs >= pauseMs) return true
  const lengthMs = last.toMs - first.fromMs
  if (sentenceEnd.test(last.text) && !abbreviation.test(last.text)) return true
  return lengthMs >= longestMs || (lengthMs >= longMs && clauseEnd.test(last.text))
}

function segmentOf(words: readonly RecordedWord[], withWords: boolean): TranscribedSegment {
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / words.length
  return {
    startSeconds: seconds(words[0]?.fromMs ?? 0),
    endSeconds: seconds(Math.max(...words.map(({ toMs }) => toMs))),
    text: words
      .map(({ text }) => text)
      .join('')
      .trim(),
    confidence: share(confidence),
    speaker: words[0]?.speaker ?? null,
    words: withWords ? words.map(shownWord) : [],
  }
}

const shownWord = ({ text, fromMs, toMs, confidence, speaker }: RecordedWord): TranscribedWord => ({
  word: text.trim(),
  startSeconds: seconds(fromMs),
  endSeconds: seconds(toMs),
  confidence: share(confidence),
  speaker,
})

const seconds = (ms: number) => Math.round(ms) / 1000
const share = (value: number) => Math.round(value * 1000) / 1000

type Window = Pick<HeardVoice, 'fromMs' | 'toMs'>

/**
 * Gives each word its speaker; words and voices are in chronological order. Speakers are numbered in order of
 * appearance.
 */
export function withSpeakers(
  words: readonly RecordedWord[],
  windows: readonly Window[],
  people: readonly number[],
): RecordedWord[] {
  const numbers = new Map<number, number>()
  let place = 0
  return words.map((word) => {
    const middleMs = (word.fromMs + word.toMs) / 2
    while (
      place + 1 < windows.length &&
      distance(windows[place + 1], middleMs) <= distance(windows[place], middleMs)
    )
      place++
    const person = people[place]
    if (person === undefined) return word
    if (!numbers.has(person)) numbers.set(person, numbers.size)
    return { ...word, speaker: numbers.get(person) ?? null }
  })
}

/** The distance from the middle of a window; a word inside is nearer than any outside. */
function distance(window: Window | undefined, ms: number): number {
  if (!window) return Number.POSITIVE_INFINITY
  const fromMiddleMs = Math.abs(ms - (window.fromMs + window.toMs) / 2)
  const inside = ms >= window.fromMs && ms <= window.toMs
  return inside ? fromMiddleMs : fromMiddleMs + 60_000
}
