// Azure AI Speech, fast transcription: one synchronous request.
import assert from 'node:assert/strict'
import { FormData } from 'undici'
import { z } from 'zod'
import type {
  TranscribedSegment,
  TranscriptionOptions,
  TranscriptionRefusal,
} from '../../ports/transcription.ts'
import { mostSpoken } from '../over/recordings/segments.ts'
import {
  refuseLeast,
  type SoundPiece,
  speakerNumbers,
  type TranscriptionServer,
  type TranscriptionVendor,
} from '../over/recordings/vendor.ts'
import { account } from './account.ts'

const Timed = { text: z.string(), offsetMilliseconds: z.number(), durationMilliseconds: z.number() }
const Phrase = z.object({
  ...Timed,
  confidence: z.number().nullish(),
  speaker: z.int().nullish(),
  locale: z.string().nullish(),
  words: z.array(z.object(Timed)).default([]),
})
const Answer = z.object({ phrases: z.array(Phrase) })

const name = 'Azure AI Speech'
// The first version with a phrase list.
const version = '2025-10-15'

export function transcribesRecordings({ baseUrl, apiKey }: TranscriptionServer): TranscriptionVendor {
  assert(baseUrl, 'PARLEY_STT_BASE_URL was checked')
  return {
    ...account.endpoint({ baseUrl, apiKey }),
    name,
    // Limit: just under 2 hours.
    mostSeconds: 7_000,
    refusals: (wishes) => [...refuseLeast(name, wishes), ...refuseOneSpeaker(wishes)],
    async transcribe(piece, wishes, { ask }) {
      const { phrases } = await ask('/speechtotext/transcriptions:transcribe', Answer, {
        query: [['api-version', version]],
        body: formOf(piece, wishes),
      })
      return {
        language:
          wishes.language ?? mostSpoken(phrases.map(({ text, locale }) => ({ text, language: locale }))),
        languageConfidence: null,
        segments: segmentsIn(phrases, wishes.align),
      }
    },
  }
}

function refuseOneSpeaker({ diarize }: TranscriptionOptions): TranscriptionRefusal[] {
  if (diarize?.maxSpeakers !== 1) return []
  return [{ option: 'diarize', sentence: `${name} looks for two speakers or more; leave out diarize.` }]
}

function formOf({ wav }: SoundPiece, { language, diarize, keyterms }: TranscriptionOptions): FormData {
  const form = new FormData()
  form.set('audio', wav, 'sound.wav')
  form.set(
    'definition',
    JSON.stringify({
      ...(language && { locales: [localeOf(language)] }),
      ...(diarize && { diarization: { enabled: true, maxSpeakers: diarize.maxSpeakers } }),
      ...(keyterms.length > 0 && { phraseList: { phrases: keyterms } }),
    }),
  )
  return form
}

// Where Azure does not support the most likely region of a language (CLDR).
const locales: Readonly<Record<string, string>> = {
  bn: 'bn-IN',
  no: 'nb-NO',
  sw: 'sw-KE',
  tl: 'fil-PH',
  ur: 'ur-IN',
}

/** Azure requires a region. */
const localeOf = (language: string): string =>
  locales[language] ?? `${language}-${new Intl.Locale(language).maximize().region}`

function segmentsIn(phrases: readonly z.infer<typeof Phrase>[], align: boolean): TranscribedSegment[] {
  const numberOf = speakerNumbers()
  return phrases
    .toSorted((one, other) => one.offsetMilliseconds - other.offsetMilliseconds)
    .map((phrase) => {
      const speaker = numberOf(phrase.speaker)
      return {
        ...timesOf(phrase),
        text: phrase.text.trim(),
        confidence: phrase.confidence ?? null,
        speaker,
        words: (align ? phrase.words : []).map((word) => ({
          word: word.text,
          ...timesOf(word),
          confidence: null,
          speaker,
        })),
      }
    })
}

const timesOf = ({
  offsetMilliseconds: fromMs,
  durationMilliseconds: lastsMs,
}: {
  offsetMilliseconds: number
  durationMilliseconds: number
}) => ({
  startSeconds: fromMs / 1000,
  endSeconds: (fromMs + lastsMs) / 1000,
})
