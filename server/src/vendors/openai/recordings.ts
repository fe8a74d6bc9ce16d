// Any server with OpenAI's POST /audio/transcriptions. Models of Whisper's line tell the times of segments and words
// (`verbose_json`); OpenAI's later ones tell the text only (`json`), so they get short pieces, whose times are known.
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
import { account, host } from './account.ts'

const Timed = { start: z.number(), end: z.number() }
/** A server that only supports `json` returns the text alone, whatever it was asked for. */
const Answer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  languages: z.array(z.object({ code: z.string() })).nullish(),
  segments: z.array(z.object({ ...Timed, text: z.string(), avg_logprob: z.number().nullish() })).nullish(),
  words: z.array(z.object({ ...Timed, word: z.string() })).nullish(),
})

export function transcribesRecordings(server: TranscriptionServer): TranscriptionVendor {
  const { model = usualModel(server) } = server
  const name = `The transcription server (${model})`
  const isTimed = tellsTimes(model)
  return {
    ...account.endpoint(server, { path: '/v1' }),
    name,
    // OpenAI's limit is 25 MB; ten minutes are 19 MB. A segment without times of its own is as long as its piece.
    mostSeconds: isTimed ? 600 : 30,
    refusals({ diarize, align }): TranscriptionRefusal[] {
      const refuse = (option: TranscriptionRefusal['option'], what: string) => ({
        option,
        sentence: `${name} ${what}; ${offline}.`,
      })
      return [
        ...(diarize ? [refuse('diarize', 'does not tell speakers apart')] : []),
        ...(align && !isTimed ? [refuse('align', 'gives no times of words')] : []),
      ]
    },
    async transcribe(piece, wishes, { ask }) {
      const told = await ask('/audio/transcriptions', Answer, { body: formOf(model, piece, wishes) })
      if (wishes.align && !told.words)
        throw new Error(`${name} gives no times of words; ask without align, or ${offline}.`)
      return {
        language: codeOfLanguage(told.language ?? told.languages?.[0]?.code ?? ''),
        languageConfidence: null,
        segments: segmentsOf(told, piece.seconds, wishes.align),
      }
    },
  }
}

/** OpenAI's own at OpenAI; other servers are known by Whisper. */
const usualModel = ({ baseUrl }: TranscriptionServer): string =>
  baseUrl === undefined || new URL(baseUrl).host === host ? 'gpt-transcribe' : 'whisper-1'

const tellsTimes = (model: string): boolean => !/^gpt-/.test(model)

function formOf(
  model: string,
  { wav }: SoundPiece,
  { language, align, keyterms }: TranscriptionOptions,
): FormData {
  const form = new FormData()
  form.set('file', wav, 'sound.wav')
  form.set('model', model)
  if (!tellsTimes(model)) {
    form.set('response_format', 'json')
    if (language) form.append('languages[]', language)
    for (const term of keyterms) form.append('keywords[]', term)
    return form
  }
  form.set('response_format', 'verbose_json')
  form.append('timestamp_granularities[]', 'segment')
  if (align) form.append('timestamp_granularities[]', 'word')
  if (language) form.set('language', language)
  if (keyterms.length > 0) form.set('prompt', keyterms.join(', '))
  return form
}

function segmentsOf(
  { text, segments, words }: z.infer<typeof Answer>,
  seconds: number,
  align: boolean,
): TranscribedSegment[] {
  const whole = text.trim() === '' ? [] : [{ start: 0, end: seconds, text, avg_logprob: null }]
  const heard = (segments ?? whole).filter((segment) => segment.text.trim() !== '')
  return heard.map((segment, at) => ({
    startSeconds: segment.start,
    endSeconds: segment.end,
    text: segment.text.trim(),
    confidence: typeof segment.avg_logprob === 'number' ? Math.min(1, Math.exp(segment.avg_logprob)) : null,
    speaker: null,
    // A word belongs to the last segment that begins before its middle.
    words: ((align && words) || [])
      .filter((word) => {
        const middle = (word.start + word.end) / 2
        const next = heard[at + 1]
        return (at === 0 || middle >= segment.start) && (!next || middle < next.start)
      })
      .map((word) => ({
        word: word.word.trim(),
        startSeconds: word.start,
        endSeconds: word.end,
        confidence: null,
        speaker: null,
      })),
  }))
}
