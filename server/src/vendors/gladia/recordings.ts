// Gladia: uploads the audio, submits a transcription, polls it and reads its utterances.
import { FormData } from 'undici'
import { z } from 'zod'
import { codeOfLanguage } from '../../platform/language-names.ts'
import type { TranscribedSegment, TranscriptionOptions } from '../../ports/transcription.ts'
import { type JobState, working } from '../over/recordings/remote-job.ts'
import {
  speakerCount,
  speakerNumbers,
  type TranscriptionServer,
  type TranscriptionVendor,
} from '../over/recordings/vendor.ts'
import { account } from './account.ts'

const Uploaded = z.object({ audio_url: z.string() })
/** The answer's result_url is ignored: the key is only sent to the configured address. */
const Ordered = z.object({ id: z.string() })
const Timed = { start: z.number(), end: z.number(), confidence: z.number().nullish() }
const Utterance = z.object({
  ...Timed,
  text: z.string(),
  speaker: z.int().nullish(),
  words: z.array(z.object({ ...Timed, word: z.string() })).default([]),
})
const Result = z.object({
  transcription: z
    .object({ languages: z.array(z.string()).default([]), utterances: z.array(Utterance).default([]) })
    .nullish(),
  diarization: z
    .object({ success: z.boolean(), error: z.object({ message: z.string().nullish() }).nullish() })
    .nullish(),
})
const State = z.object({ status: z.string(), error_code: z.int().nullish(), result: Result.nullish() })
type Result = z.infer<typeof Result>

export function transcribesRecordings(server: TranscriptionServer): TranscriptionVendor {
  const { model = 'solaria-1' } = server
  return {
    ...account.endpoint(server),
    // Limit: 135 minutes.
    mostSeconds: 8_000,
    refusals: () => [],
    async transcribe({ wav }, wishes, { ask, finish }) {
      const { transcription } = await finish<Result>({
        async submit() {
          const form = new FormData()
          form.set('audio', wav, 'sound.wav')
          const { audio_url } = await ask('/v2/upload', Uploaded, { body: form })
          return (
            await ask('/v2/pre-recorded', Ordered, { body: { audio_url, model, ...optionsOf(wishes) } })
          ).id
        },
        poll: async (id) => stateOf(await ask(`/v2/pre-recorded/${encodeURIComponent(id)}`, State)),
      })
      const [language] = transcription?.languages ?? []
      return {
        language: wishes.language ?? (language ? codeOfLanguage(language) : null),
        languageConfidence: null,
        segments: segmentsIn(transcription?.utterances ?? [], wishes),
      }
    },
  }
}

function stateOf({ status, error_code: code, result }: z.infer<typeof State>): JobState<Result> {
  if (status === 'error') return { is: 'failed', reason: code ? `error ${code}` : 'it does not say why' }
  if (status !== 'done') return working(status)
  // Without the requested diarization the transcript counts as failed.
  if (result?.diarization?.success === false)
    return { is: 'failed', reason: result.diarization.error?.message ?? 'its speakers were not told apart' }
  return { is: 'done', told: result ?? {} }
}

const optionsOf = ({ language, diarize, keyterms }: TranscriptionOptions) => ({
  ...(language && { language_config: { languages: [language], code_switching: false } }),
  ...(diarize && { diarization: true, diarization_config: countOf(diarize) }),
  ...(keyterms.length > 0 && {
    custom_vocabulary: true,
    custom_vocabulary_config: { vocabulary: keyterms },
  }),
})

function countOf(diarize: NonNullable<TranscriptionOptions['diarize']>) {
  const count = speakerCount(diarize)
  if (count.is === 'exact') return { number_of_speakers: count.count }
  return count.is === 'open' ? {} : { min_speakers: count.min, max_speakers: count.max }
}

function segmentsIn(
  utterances: readonly z.infer<typeof Utterance>[],
  { diarize, align }: TranscriptionOptions,
): TranscribedSegment[] {
  const numberOf = speakerNumbers()
  return utterances.map((told) => {
    const speaker = diarize ? numberOf(told.speaker) : null
    return {
      startSeconds: told.start,
      endSeconds: told.end,
      text: told.text.trim(),
      confidence: told.confidence ?? null,
      speaker,
      words: (align ? told.words : []).map(({ word, start, end, confidence }) => ({
        word: word.trim(),
        startSeconds: start,
        endSeconds: end,
        confidence: confidence ?? null,
        speaker,
      })),
    }
  })
}
