// Sarvam. wss /speech-to-text-realtime/ws, `api-subscription-key`; everything is JSON, audio in base64.
//
//   → {"event":"speech_start"} · {"event":"audio_input","audio"} · {"event":"speech_end"} · {"event":"ping"} · {"event":"end"}
//   ← session.begin · transcript.partial {text,language} · transcript.final {text,language,end_s} · session.end · pong
//     error {code,is_fatal,message}
//
// A final can be asked for only by clients that also report where utterances begin (`endpointing=manual`): each begins with
// the first sound after the last one, so that none is lost.
import { z } from 'zod'
import {
  type SttListening,
  type SttMessage,
  type SttOptions,
  socketVendor,
} from '../over/hears/over-socket.ts'
import { CallerLanguages, isTranslation, languageOf, modelOr } from '../over/hears/wishes.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import type { Query } from '../over/wire/vendor-address.ts'
import { account } from './account.ts'
import { hearsOptions } from './own-options.ts'

// The messages of sarvamai 1.1.
const events = [
  ...(['session.begin', 'session.end', 'config.updated', 'vad.speech_start', 'vad.speech_end'] as const),
  ...(['transcript.partial', 'transcript.final', 'pong', 'error'] as const),
]
const Message = z.object({ event: z.enum(events) })
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

function hintsOf(model: string, keyterms: readonly string[]): Query {
  if (keyterms.length === 0) return {}
  return model.startsWith('saaras:v4')
    ? { keyterms: JSON.stringify(keyterms) }
    : { prompt: keyterms.join(', ') }
}

function listening(options: SttOptions): SttListening {
  const heard = new CallerLanguages(options)
  let isBegun = false
  return {
    encode(sound) {
      const input = JSON.stringify({ event: 'audio_input', audio: Buffer.from(sound).toString('base64') })
      if (isBegun) return input
      isBegun = true
      return ['{"event":"speech_start"}', input]
    },
    finalize() {
      if (!isBegun) return undefined
      isBegun = false
      return '{"event":"speech_end"}'
    },
    bye: '{"event":"end"}',
    decode(raw): readonly SttMessage[] {
      const { event } = readVendorMessage(Message, raw)
      if (event === 'error') {
        const { code, is_fatal: isFatal, message } = Failure.parse(raw)
        return isFatal ? [{ type: 'failed', reason: `${code} ${message}` }] : []
      }
      if (event !== 'transcript.partial' && event !== 'transcript.final') return []
      const { text, language, end_s: endSeconds } = Words.parse(raw)
      if (event === 'transcript.partial') return [{ type: 'partial', text }]
      const endMs = endSeconds == null ? undefined : endSeconds * 1_000
      return [...heard.hear(language, text), { type: 'final', text, endMs }]
    },
  }
}

export const hears = socketVendor(account, {
  languages: understood,
  // docs.sarvam.ai, speech-to-text/how-to/keyterms, as of 2026-11.
  abilities: { wordTimes: false, keyterms: { most: 50, mostChars: 64 } },
  options: {
    model: '`model`; saaras:v3-realtime unless given',
    language: '`language_code`, as in hi-IN; `auto` as well',
    samplingRateHz: '`sample_rate`: 8,000 or 16,000',
    encoding: '`encoding`: linear16, mulaw or alaw',
    task: '`mode`: transcribe, translate, verbatim, translit or codemix',
    endpointingMs: 'measured here, then `speech_end`',
    keyterms: '`keyterms` of saaras:v4 models, `prompt` of others',
  },
  ownOptions: hearsOptions,
  tasks: ['transcribe', 'translate', ...modes],
  rates: [16_000, 8_000],
  encodings: ['linear16', 'mulaw', 'alaw'],
  keepAlive: { everyMs: 8_000, message: '{"event":"ping"}' },
  connect(options, given) {
    const language = languageOf(options)
    const model = modelOr('saaras:v3-realtime', options)
    return account.socket(given, '/speech-to-text-realtime/ws', {
      model,
      language_code: language ? `${language}-IN` : 'auto',
      mode: modeOf(options),
      endpointing: 'manual',
      encoding: options.encoding,
      sample_rate: options.rateHz,
      return_timestamps: true,
      ...hintsOf(model, options.keyterms ?? []),
      ...hearsOptions.query('query', options),
    })
  },
  listen: listening,
})
