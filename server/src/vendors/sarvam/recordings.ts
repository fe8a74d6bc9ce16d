// Sarvam's POST /speech-to-text: Indian languages, 30 seconds at a time.
import { FormData } from 'undici'
import { z } from 'zod'
import { codeOfLanguage } from '../../platform/language-names.ts'
import type {
  TranscribedSegment,
  TranscriptionOptions,
  TranscriptionRefusal,
} from '../../ports/transcription.ts'
import {
  offline,
  type SoundPiece,
  type TranscriptionServer,
  type TranscriptionVendor,
} from '../over/recordings/vendor.ts'
import { account } from './account.ts'

/** What Sarvam calls words are phrases. */
const Answer = z.object({
  transcript: z.string(),
  language_code: z.string().nullish(),
  language_probability: z.number().nullish(),
  timestamps: z
    .object({
      words: z.array(z.string()),
      start_time_seconds: z.array(z.number()),
      end_time_seconds: z.array(z.number()),
    })
    .nullish(),
})

const name = account.label
const languages = 'as bn brx doi en gu hi kn kok ks mai ml mni mr ne or pa sa sat sd ta te ur'.split(' ')

export function transcribesRecordings(server: TranscriptionServer): TranscriptionVendor {
  const { model = 'saaras:v3' } = server
  return {
    ...account.endpoint(server),
    // Limit: just under 30 seconds.
    mostSeconds: 29,
    refusals: (wishes) => refusals(model, wishes),
    async transcribe(piece, wishes, { ask }) {
      const told = await ask('/speech-to-text', Answer, { body: formOf(model, piece, wishes) })
      return {
        language: wishes.language ?? languageOf(told.language_code),
        languageConfidence: told.language_probability ?? null,
        segments: segmentsIn(told, piece.seconds),
      }
    },
  }
}

function refusals(
  model: string,
  { language, diarize, align, keyterms }: TranscriptionOptions,
): TranscriptionRefusal[] {
  const refused: TranscriptionRefusal[] = []
  if (language && !languages.includes(language))
    refused.push({
      option: 'language',
      sentence: `${name} does not know the language "${language}". It knows: ${languages.join(', ')}.`,
    })
  if (diarize)
    refused.push({ option: 'diarize', sentence: `${name} does not tell speakers apart; ${offline}.` })
  if (align) refused.push({ option: 'align', sentence: `${name} gives no times of words; ${offline}.` })
  if (keyterms.length > 0 && model !== 'saaras:v4')
    refused.push({
      option: 'keyterms',
      sentence: `${name}'s ${model} cannot be told which words to expect; set PARLEY_STT_MODEL to saaras:v4.`,
    })
  return refused
}

function formOf(model: string, { wav }: SoundPiece, { language, keyterms }: TranscriptionOptions): FormData {
  const form = new FormData()
  form.set('file', wav, 'sound.wav')
  form.set('model', model)
  // Sarvam's code for Odia is od.
  form.set('language_code', language ? `${language === 'or' ? 'od' : language}-IN` : 'unknown')
  form.set('with_timestamps', 'true')
  if (keyterms.length > 0) form.set('keyterms', JSON.stringify(keyterms))
  return form
}

const languageOf = (told: string | null | undefined): string | null =>
  told?.startsWith('od') ? 'or' : told ? codeOfLanguage(told) : null

function segmentsIn(
  { transcript, timestamps }: z.infer<typeof Answer>,
  seconds: number,
): TranscribedSegment[] {
  const texts = timestamps?.words.length ? timestamps.words : [transcript]
  return texts
    .map((text, at) => ({
      startSeconds: timestamps?.start_time_seconds[at] ?? 0,
      endSeconds: timestamps?.end_time_seconds[at] ?? seconds,
      text: text.trim(),
      confidence: null,
      speaker: null,
      words: [],
    }))
    .filter(({ text }) => text !== '')
}
