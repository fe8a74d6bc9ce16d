// Deepgram's POST /listen for recordings.
import { z } from 'zod'
import type { TranscribedSegment, TranscriptionOptions } from '../../ports/transcription.ts'
import {
  refuseCounts,
  type TranscriptionServer,
  type TranscriptionVendor,
} from '../over/recordings/vendor.ts'
import { account } from './account.ts'

const Word = z.object({
  word: z.string(),
  punctuated_word: z.string().nullish(),
  start: z.number(),
  end: z.number(),
  confidence: z.number().nullish(),
  speaker: z.int().nullish(),
})
const Utterance = z.object({
  start: z.number(),
  end: z.number(),
  confidence: z.number().nullish(),
  transcript: z.string(),
  speaker: z.int().nullish(),
  words: z.array(Word).default([]),
})
const Answer = z.object({
  results: z.object({
    channels: z
      .array(
        z.object({
          detected_language: z.string().nullish(),
          language_confidence: z.number().nullish(),
        }),
      )
      .default([]),
    utterances: z.array(Utterance).default([]),
  }),
})

const name = account.label

export function transcribesRecordings(server: TranscriptionServer): TranscriptionVendor {
  const { model = 'nova-3' } = server
  return {
    ...account.endpoint(server, { path: '/v1' }),
    // Limit: 2 GB per request.
    mostSeconds: 60_000,
    refusals: (wishes) => refuseCounts(name, wishes),
    async transcribe({ wav }, wishes, { ask }) {
      const { results } = await ask('/listen', Answer, { body: wav, query: parametersOf(model, wishes) })
      const [channel] = results.channels
      return {
        language: channel?.detected_language?.split('-', 1)[0] ?? wishes.language ?? null,
        languageConfidence: channel?.language_confidence ?? null,
        segments: results.utterances.map((utterance) => segmentOf(utterance, wishes.align)),
      }
    },
  }
}

const parametersOf = (
  model: string,
  { language, diarize, keyterms }: TranscriptionOptions,
): [string, string][] => [
  ['model', model],
  ['smart_format', 'true'],
  ['utterances', 'true'],
  ...(language
    ? [['language', language] as [string, string]]
    : [['detect_language', 'true'] as [string, string]]),
  ...(diarize ? [['diarize', 'true'] as [string, string]] : []),
  ...keyterms.map((term): [string, string] => ['keyterm', term]),
]

const segmentOf = (told: z.infer<typeof Utterance>, align: boolean): TranscribedSegment => ({
  startSeconds: told.start,
  endSeconds: told.end,
  text: told.transcript.trim(),
  confidence: told.confidence ?? null,
  speaker: told.speaker ?? null,
  words: (align ? told.words : []).map((word) => ({
    word: word.punctuated_word ?? word.word,
    startSeconds: word.start,
    endSeconds: word.end,
    confidence: word.confidence ?? null,
    speaker: word.speaker ?? null,
  })),
})
