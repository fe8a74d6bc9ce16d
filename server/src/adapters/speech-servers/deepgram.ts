// Deepgram's POST /listen for recordings.
import { z } from 'zod'
import type { SpeechFindings, SpeechSegment, SpeechWishes } from '../../ports/speech.ts'
import type { SpeechServer, SpeechVendor } from './over-http.ts'

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

const name = 'Deepgram'

export function deepgramSpeech({ baseUrl, model = 'nova-3', apiKey }: SpeechServer): SpeechVendor {
  return {
    name,
    // It takes two gigabytes at once, and would count the speakers of every piece anew.
    pieceSeconds: Number.POSITIVE_INFINITY,
    refusals({ diarize }) {
      if (!diarize || (diarize.minSpeakers === 1 && diarize.maxSpeakers >= 20)) return []
      const sentence = `${name} counts the speakers itself; leave out num_speakers, min_speakers and max_speakers, or unset PARLEY_STT_BASE_URL to use the offline engine.`
      return [{ option: 'diarize', sentence }]
    },
    ask(wav, wishes) {
      const url = new URL(`${baseUrl.replace(/\/+$/, '')}/listen`)
      for (const [key, value] of parametersOf(model, wishes)) url.searchParams.append(key, value)
      const headers = { 'content-type': 'audio/wav', ...(apiKey && { authorization: `Token ${apiKey}` }) }
      return { url, headers, body: wav }
    },
    read(answer, { language, align }): SpeechFindings {
      const told = Answer.safeParse(answer).data
      if (!told) throw new Error(`${name} answered in a form that is not known.`)
      const [channel] = told.results.channels
      return {
        language: channel?.detected_language?.split('-', 1)[0] ?? language ?? null,
        languageConfidence: channel?.language_confidence ?? null,
        segments: told.results.utterances.map((utterance) => segmentOf(utterance, align)),
      }
    },
  }
}

const parametersOf = (model: string, { language, diarize, keyterms }: SpeechWishes): [string, string][] => [
  ['model', model],
  ['smart_format', 'true'],
  ['utterances', 'true'],
  ...(language
    ? [['language', language] as [string, string]]
    : [['detect_language', 'true'] as [string, string]]),
  ...(diarize ? [['diarize', 'true'] as [string, string]] : []),
  ...keyterms.map((term): [string, string] => ['keyterm', term]),
]

const segmentOf = (told: z.infer<typeof Utterance>, align: boolean): SpeechSegment => ({
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
