// Soniox: uploads a file, submits a transcription, polls it, reads its tokens, and deletes both.
import type { Blob } from 'node:buffer'
import { FormData } from 'undici'
import { z } from 'zod'
import type { TranscriptionOptions } from '../../ports/transcription.ts'
import { type RemoteJob, working } from '../over/recordings/remote-job.ts'
import { isUnspaced, mostSpoken, segmentWords, type WrittenWord } from '../over/recordings/segments.ts'
import {
  refuseCounts,
  speakerNumbers,
  type TranscriptionServer,
  type TranscriptionVendor,
} from '../over/recordings/vendor.ts'
import type { Ask } from '../over/recordings/wire.ts'
import { account, recordingsHost } from './account.ts'

const Named = z.object({ id: z.string() })
const State = z.object({
  status: z.string(),
  file_id: z.string().nullish(),
  error_message: z.string().nullish(),
})
/** A token is part of a word; the first one carries the leading space. Times in milliseconds. */
const Token = z.object({
  text: z.string(),
  start_ms: z.number().nullish(),
  end_ms: z.number().nullish(),
  confidence: z.number().nullish(),
  speaker: z.union([z.string(), z.number()]).nullish(),
  language: z.string().nullish(),
  is_audio_event: z.boolean().nullish(),
})
const Transcript = z.object({ tokens: z.array(Token) })
type Token = z.infer<typeof Token>

const name = account.label

export function transcribesRecordings(server: TranscriptionServer): TranscriptionVendor {
  const { model = 'stt-async-v5' } = server
  return {
    ...account.endpoint(server, { host: recordingsHost }),
    // Limit: 5 hours.
    mostSeconds: 18_000,
    refusals: (wishes) => refuseCounts(name, wishes),
    async transcribe({ wav }, wishes, { ask, finish }) {
      const tokens = await finish(jobOf(ask, wav, { model, ...optionsOf(wishes) }))
      const spoken = tokens.filter(({ is_audio_event: isEvent }) => !isEvent)
      return {
        language: wishes.language ?? mostSpoken(spoken),
        languageConfidence: null,
        segments: segmentWords(wordsOf(spoken), wishes.align),
      }
    },
  }
}

function jobOf(ask: Ask, wav: Blob, options: Readonly<Record<string, unknown>>): RemoteJob<Token[]> {
  const remove = (kind: 'files' | 'transcriptions', id: string) =>
    ask(`/v1/${kind}/${encodeURIComponent(id)}`, z.unknown(), { method: 'DELETE' }).catch(() => {})
  let file: string | null | undefined
  return {
    async submit() {
      const form = new FormData()
      form.set('file', wav, 'sound.wav')
      const { id: laid } = await ask('/v1/files', Named, { body: form })
      const body = { ...options, file_id: laid }
      const { id } = await ask('/v1/transcriptions', Named, { body }).catch(async (error) => {
        await remove('files', laid)
        throw error
      })
      return id
    },
    async poll(id) {
      const path = `/v1/transcriptions/${encodeURIComponent(id)}`
      const state = await ask(path, State)
      file = state.file_id
      if (state.status === 'error')
        return { is: 'failed', reason: state.error_message ?? 'it does not say why' }
      if (state.status !== 'completed') return working(state.status)
      return { is: 'done', told: (await ask(`${path}/transcript`, Transcript)).tokens }
    },
    // Soniox stores everything until it is deleted, and refuses new files when the quota is full.
    async discard(id) {
      await remove('transcriptions', id)
      if (file) await remove('files', file)
    },
  }
}

const optionsOf = ({ language, diarize, keyterms }: TranscriptionOptions) => ({
  enable_language_identification: true,
  ...(language && { language_hints: [language], language_hints_strict: true }),
  ...(diarize && { enable_speaker_diarization: true }),
  ...(keyterms.length > 0 && { context: { terms: keyterms } }),
})

/** A word's confidence is that of its least certain token. */
function wordsOf(tokens: readonly Token[]): WrittenWord[] {
  const numberOf = speakerNumbers()
  const words: WrittenWord[] = []
  for (const { text, start_ms: startMs, end_ms: endMs, confidence = null, speaker: label } of tokens) {
    const last = words.at(-1)
    const speaker = numberOf(label)
    const startSeconds = (startMs ?? 1000 * (last?.endSeconds ?? 0)) / 1000
    const endSeconds = (endMs ?? 1000 * startSeconds) / 1000
    if (!last || last.speaker !== speaker || /^\s/.test(text) || isUnspaced(text))
      words.push({ word: text, startSeconds, endSeconds, confidence, speaker })
    else
      words[words.length - 1] = {
        ...last,
        word: last.word + text,
        endSeconds,
        confidence: least(last.confidence, confidence),
      }
  }
  return words
}

const least = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.min(one, other)
