// From the engine's result to the contract's findings.
import type { findings, Segment } from '@parley/contract'
import type { z } from 'zod'
import type { TranscribedSegment, TranscriptionResult } from '../../ports/transcription.ts'

export type SpeechFindings = z.infer<z.ZodObject<typeof findings>>

export function shownFindings(
  { segments }: TranscriptionResult,
  translation: SpeechFindings['translation'],
): SpeechFindings {
  return {
    text: segments.map(({ text }) => text).join(' '),
    speakers: talkTimes(segments),
    segments: segments.map(shown),
    translation,
  }
}

const shown = (segment: TranscribedSegment, id: number): Segment => ({
  id,
  start: milli(segment.startSeconds),
  end: milli(segment.endSeconds),
  speaker: labelOf(segment.speaker),
  text: segment.text,
  confidence: segment.confidence === null ? null : milli(segment.confidence),
  words: segment.words.map((word) => ({
    word: word.word,
    start: milli(word.startSeconds),
    end: milli(word.endSeconds),
    confidence: word.confidence === null ? null : milli(word.confidence),
    speaker: labelOf(word.speaker),
  })),
})

/** In the order in which the speakers first speak, as their labels are. */
function talkTimes(segments: readonly TranscribedSegment[]): SpeechFindings['speakers'] {
  const seconds = new Map<number, number>()
  for (const { speaker, startSeconds, endSeconds } of segments) {
    if (speaker !== null) seconds.set(speaker, (seconds.get(speaker) ?? 0) + endSeconds - startSeconds)
  }
  return [...seconds]
    .sort(([one], [other]) => one - other)
    .map(([speaker, talked]) => ({ speaker: labelOf(speaker) as string, talk_time: milli(talked) }))
}

const labelOf = (speaker: number | null): string | null =>
  speaker === null ? null : `SPEAKER_${String(speaker).padStart(2, '0')}`

/** No engine measures more finely. */
const milli = (value: number): number => Math.round(value * 1_000) / 1_000
