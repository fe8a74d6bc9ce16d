// ElevenLabs' POST /v1/speech-to-text (the Scribe models).
import { FormData } from 'undici'
import { z } from 'zod'
import { codeOfLanguage } from '../../platform/language-names.ts'
import type { TranscriptionOptions, TranscriptionRefusal } from '../../ports/transcription.ts'
import { segmentWords, type WrittenWord } from '../over/recordings/segments.ts'
import {
  refuseLeast,
  type SoundPiece,
  speakerNumbers,
  type TranscriptionServer,
  type TranscriptionVendor,
} from '../over/recordings/vendor.ts'
import { account } from './account.ts'

/** Items that are neither words nor spacing are audio events such as laughter. */
const Item = z.object({
  type: z.string(),
  text: z.string(),
  start: z.number().nullish(),
  end: z.number().nullish(),
  speaker_id: z.string().nullish(),
  logprob: z.number().nullish(),
})
const Answer = z.object({
  language_code: z.string().nullish(),
  language_probability: z.number().nullish(),
  words: z.array(Item),
})

const name = account.label

export function transcribesRecordings(server: TranscriptionServer): TranscriptionVendor {
  const { model = 'scribe_v2' } = server
  return {
    ...account.endpoint(server),
    // Limit: 10 hours.
    mostSeconds: 36_000,
    refusals: (wishes) => [...refuseLeast(name, wishes), ...refuseTerms(wishes)],
    async transcribe(piece, wishes, { ask }) {
      const told = await ask('/v1/speech-to-text', Answer, { body: formOf(model, piece, wishes) })
      return {
        language: wishes.language ?? (told.language_code ? codeOfLanguage(told.language_code) : null),
        languageConfidence: told.language_probability ?? null,
        segments: segmentWords(wordsOf(told.words), wishes.align),
      }
    },
  }
}

function refuseTerms({ keyterms }: TranscriptionOptions): TranscriptionRefusal[] {
  const long = keyterms.find((term) => term.length >= 50 || term.trim().split(/\s+/).length > 5)
  if (long === undefined) return []
  const sentence = `${name} takes keyterms of up to 49 characters and 5 words; shorten "${long}".`
  return [{ option: 'keyterms', sentence }]
}

function formOf(
  model: string,
  { wav }: SoundPiece,
  { language, diarize, keyterms }: TranscriptionOptions,
): FormData {
  const form = new FormData()
  form.set('model_id', model)
  form.set('timestamps_granularity', 'word')
  form.set('tag_audio_events', 'false')
  form.set('diarize', String(diarize !== undefined))
  if (diarize) form.set('num_speakers', String(diarize.maxSpeakers))
  if (language) form.set('language_code', language)
  for (const term of keyterms) form.append('keyterms', term)
  form.set('file', wav, 'sound.wav')
  return form
}

function wordsOf(items: readonly z.infer<typeof Item>[]): WrittenWord[] {
  const numberOf = speakerNumbers()
  const words: WrittenWord[] = []
  let space = ''
  for (const item of items) {
    if (item.type === 'spacing') space = item.text
    if (item.type !== 'word') continue
    const startSeconds = item.start ?? words.at(-1)?.endSeconds ?? 0
    words.push({
      word: `${space}${item.text}`,
      startSeconds,
      endSeconds: item.end ?? startSeconds,
      confidence: typeof item.logprob === 'number' ? Math.min(1, Math.exp(item.logprob)) : null,
      speaker: numberOf(item.speaker_id),
    })
    space = ''
  }
  return words
}
