// Reading transcripts: from rows to wire format.
import type { findings, Segment, TranscriptEvent, TranscriptSummary } from '@parley/contract'
import type { z } from 'zod'
import type { TranscribedSegment, TranscriptionResult } from '../../ports/transcription.ts'
import type { TranscriptRow, WholeRow } from './transcript-store.ts'

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

export const transcriptSummaryOf = (row: TranscriptRow): TranscriptSummary => ({
  transcript_id: row.transcript_id,
  status: row.status,
  progress: rounded(row.progress),
  file_id: row.file_id,
  language: row.language,
  language_confidence: row.language_confidence === null ? null : rounded(row.language_confidence),
  duration: row.duration,
  error: row.error,
  metadata: row.metadata,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
})

const nothingFound = '{"text":"","speakers":[],"segments":[],"translation":null}'

/** As JSON: the findings, perhaps hours of speech, are passed on unparsed. */
export const wholeJson = ({ findings, ...row }: WholeRow): string =>
  `${JSON.stringify(transcriptSummaryOf(row)).slice(0, -1)},${(findings ?? nothingFound).slice(1)}`

export const eventOf = (row: TranscriptRow, id: string): TranscriptEvent => ({
  id,
  type: row.status === 'failed' ? 'transcript.failed' : 'transcript.completed',
  created_at: (row.completed_at ?? new Date()).toISOString(),
  data: transcriptSummaryOf(row),
})

/** Stored as a four-byte float; rounding hides the imprecision. */
const rounded = (share: number): number => Math.round(share * 1_000) / 1_000
