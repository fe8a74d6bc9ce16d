// Sarvam. wss /speech-to-text-realtime/ws, `api-subscription-key`; everything is JSON, audio in base64.
//
//   → {"event":"audio_input","audio"} · {"event":"ping"} · {"event":"end"}
//   ← session.begin · vad.speech_start · transcript.partial {text,language} · vad.speech_end · transcript.final {text,language}
//     session.end · pong · error {code,is_fatal,message}
//
// Sarvam finds the ends of utterances itself: a final can be asked for only by clients that also report where speech begins.
import { z } from 'zod'
import {
  type SttListening,
  type SttMessage,
  type SttOptions,
  socketVendor,
} from '../over/hears/over-socket.ts'
import { CallerLanguages, isTranslation, languageOf, modelOr } from '../over/hears/wishes.ts'
import { account } from './account.ts'
import { hearsOptions } from './own-options.ts'

const Message = z.object({ event: z.string() })
const Words = z.object({ text: z.string(), language: z.string().nullish(), end_s: z.number().nullish() })
const Failure = z.object({ code: z.string(), is_fatal: z.boolean(), message: z.string() })

// The language codes of sarvamai 1.1.10, as of 2026-11.
const understood = 'as bn brx doi en gu hi kn kok ks mai ml mni mr ne or pa sa sat sd ta te ur'.split(' ')
/** Sarvam's further modes of transcription, by its own names. */
const modes = ['verbatim', 'translit', 'codemix']

const modeOf = (options: SttOptions): string => {
  if (isTranslation(options)) return 'translate'
  return modes.find((mode) => mode === options.task) ?? 'transcribe'
}

function listening(options: SttOptions): SttListening {
  const heard = new CallerLanguages(options)
  return {
    encode: (sound) => JSON.stringify({ event: 'audio_input', audio: Buffer.from(sound).toString('base64') }),
    bye: '{"event":"end"}',
    decode(raw): readonly SttMessage[] {
      const { event } = Message.parse(raw)
      if (event === 'error') {
        const { code, is_fatal: isFatal, message } = Failure.parse(raw)
        return isFatal ? [{ type: 'failed', reason: `${code} ${message}` }] : []
      }
      if (!event.startsWith('transcript.')) return []
      const { text, language, end_s: endSeconds } = Words.parse(raw)
      if (event === 'transcript.partial') return [{ type: 'partial', text }]
      const endMs = endSeconds == null ? undefined : endSeconds * 1_000
      return [...heard.hear(language, text), { type: 'final', text, endMs }]
    },
  }
}

export const hears = socketVendor(account, {
  languages: understood,
  abilities: { wordTimes: false },
  options: {
    model: '`model`; saaras:v3-realtime unless given',
    language: '`language_code`, as in hi-IN; `auto` as well',
    samplingRateHz: '`sample_rate`: 8,000 or 16,000',
    encoding: '`encoding`: linear16, mulaw or alaw',
    task: '`mode`: transcribe, translate, verbatim, translit or codemix',
    endpointingMs: '`silence_duration_ms`',
    keyterms: '`prompt`',
  },
  ownOptions: hearsOptions,
  tasks: ['transcribe', 'translate', ...modes],
  rates: [16_000, 8_000],
  encodings: ['linear16', 'mulaw', 'alaw'],
  keepAlive: { everyMs: 8_000, message: '{"event":"ping"}' },
  connect(options, given) {
    // Sarvam has a code of its own for Odia.
    const language = languageOf(options, { or: 'od' })
    return account.socket(given, '/speech-to-text-realtime/ws', {
      model: modelOr('saaras:v3-realtime', options),
      language_code: language ? `${language}-IN` : 'auto',
      mode: modeOf(options),
      endpointing: 'vad',
      silence_duration_ms: options.endpointingMs,
      encoding: options.encoding,
      sample_rate: options.rateHz,
      return_timestamps: true,
      prompt: options.keyterms?.join(', ') || undefined,
      ...hearsOptions.query('query', options),
    })
  },
  listen: listening,
})
