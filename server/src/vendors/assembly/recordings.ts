// AssemblyAI: uploads the audio, submits a transcript, polls it and reads its words.
import { z } from 'zod'
import { codeOfLanguage } from '../../platform/language-names.ts'
import type { TranscriptionOptions } from '../../ports/transcription.ts'
import { type JobState, working } from '../over/recordings/remote-job.ts'
import { segmentWords, spaced } from '../over/recordings/segments.ts'
import {
  speakerCount,
  speakerNumbers,
  type TranscriptionServer,
  type TranscriptionVendor,
} from '../over/recordings/vendor.ts'
import { account, recordingsHost } from './account.ts'

const Uploaded = z.object({ upload_url: z.string() })
const Ordered = z.object({ id: z.string() })
/** Times in milliseconds; speakers are A, B and so on. */
const Word = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  confidence: z.number().nullish(),
  speaker: z.string().nullish(),
})
const Transcript = z.object({
  status: z.string(),
  error: z.string().nullish(),
  language_code: z.string().nullish(),
  language_confidence: z.number().nullish(),
  words: z.array(Word).nullish(),
})
type Transcript = z.infer<typeof Transcript>

export function transcribesRecordings(server: TranscriptionServer): TranscriptionVendor {
  // The second covers the languages that the first does not support.
  const { model = 'universal-3-5-pro,universal-2' } = server
  return {
    ...account.endpoint(server, { host: recordingsHost }),
    // Limit: 10 hours.
    mostSeconds: 36_000,
    refusals: () => [],
    async transcribe({ wav }, wishes, { ask, finish }) {
      const told = await finish<Transcript>({
        async submit() {
          const body = wav.slice(0, wav.size, 'application/octet-stream')
          const { upload_url } = await ask('/v2/upload', Uploaded, { body })
          const order = {
            audio_url: upload_url,
            speech_models: model.split(',').map((name) => name.trim()),
            ...optionsOf(wishes),
          }
          return (await ask('/v2/transcript', Ordered, { body: order })).id
        },
        poll: async (id) => stateOf(await ask(`/v2/transcript/${encodeURIComponent(id)}`, Transcript)),
      })
      return {
        language: wishes.language ?? (told.language_code ? codeOfLanguage(told.language_code) : null),
        languageConfidence: told.language_confidence ?? null,
        segments: segmentWords(wordsOf(told), wishes.align),
      }
    },
  }
}

function stateOf(told: Transcript): JobState<Transcript> {
  if (told.status === 'error') return { is: 'failed', reason: told.error ?? 'it does not say why' }
  return told.status === 'completed' ? { is: 'done', told } : working(told.status)
}

const optionsOf = ({ language, diarize, keyterms }: TranscriptionOptions) => ({
  ...(language ? { language_code: language } : findLanguage),
  ...(diarize && { speaker_labels: true, ...countOf(diarize) }),
  ...(keyterms.length > 0 && { keyterms_prompt: keyterms }),
})

const findLanguage = {
  language_detection: true,
  // Otherwise AssemblyAI fails a recording without speech.
  language_detection_options: { on_no_speech_detected: 'fallback', fallback_language: 'en' },
}

function countOf(diarize: NonNullable<TranscriptionOptions['diarize']>) {
  const count = speakerCount(diarize)
  if (count.is === 'exact') return { speakers_expected: count.count }
  if (count.is === 'open') return {}
  return { speaker_options: { min_speakers_expected: count.min, max_speakers_expected: count.max } }
}

function wordsOf({ words }: Transcript) {
  const numberOf = speakerNumbers()
  return spaced(
    (words ?? []).map((word) => ({
      word: word.text,
      startSeconds: word.start / 1000,
      endSeconds: word.end / 1000,
      confidence: word.confidence ?? null,
      speaker: numberOf(word.speaker),
    })),
  )
}
