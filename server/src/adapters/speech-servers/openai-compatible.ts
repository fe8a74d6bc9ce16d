// Any server that speaks OpenAI's POST /audio/transcriptions.
import { FormData } from 'undici'
import { z } from 'zod'
import type { SpeechFindings, SpeechRefusal, SpeechSegment } from '../../ports/speech.ts'
import { codeOfLanguage } from './languages.ts'
import type { SpeechServer, SpeechVendor } from './over-http.ts'

const Timed = { start: z.number(), end: z.number() }
/** Of verbose_json; a server that knows only json answers with the text alone. */
const Answer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z.array(z.object({ ...Timed, text: z.string(), avg_logprob: z.number().nullish() })).nullish(),
  words: z.array(z.object({ ...Timed, word: z.string() })).nullish(),
})

// OpenAI takes 25 MB: ten minutes are 19.
const pieceSeconds = 600
const mend = 'unset PARLEY_STT_BASE_URL to use the offline engine'

export function openAiSpeech({ baseUrl, model = 'whisper-1', apiKey }: SpeechServer): SpeechVendor {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/audio/transcriptions`)
  const name = `The transcription server (${model})`
  return {
    name,
    pieceSeconds,
    refusals({ diarize }): SpeechRefusal[] {
      if (!diarize) return []
      return [{ option: 'diarize', sentence: `${name} does not tell speakers apart; ${mend}.` }]
    },
    ask(wav, { language, align, keyterms }) {
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), 'sound.wav')
      form.set('model', model)
      form.set('response_format', 'verbose_json')
      form.append('timestamp_granularities[]', 'segment')
      if (align) form.append('timestamp_granularities[]', 'word')
      if (language) form.set('language', language)
      if (keyterms.length > 0) form.set('prompt', keyterms.join(', '))
      return { url, headers: { ...(apiKey && { authorization: `Bearer ${apiKey}` }) }, body: form }
    },
    read(answer, { align }, seconds): SpeechFindings {
      const told = Answer.safeParse(answer).data
      if (!told) throw new Error(`${name} answered in a form that is not known.`)
      if (align && !told.words)
        throw new Error(`${name} gives no times of words; ask without align, or ${mend}.`)
      return {
        language: told.language ? codeOfLanguage(told.language) : null,
        languageConfidence: null,
        segments: segmentsOf(told, seconds),
      }
    },
  }
}

function segmentsOf({ text, segments, words }: z.infer<typeof Answer>, seconds: number): SpeechSegment[] {
  const whole = text.trim() === '' ? [] : [{ start: 0, end: seconds, text, avg_logprob: null }]
  const heard = (segments ?? whole).filter((segment) => segment.text.trim() !== '')
  return heard.map((segment, at) => ({
    startSeconds: segment.start,
    endSeconds: segment.end,
    text: segment.text.trim(),
    confidence: typeof segment.avg_logprob === 'number' ? Math.min(1, Math.exp(segment.avg_logprob)) : null,
    speaker: null,
    // A word belongs to the last segment that begins before its middle.
    words: (words ?? [])
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
