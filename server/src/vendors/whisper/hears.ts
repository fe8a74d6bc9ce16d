// Whisper: any server with OpenAI's POST /audio/transcriptions, at an address of the user's or at OpenAI itself. One request
// per utterance, no partials. Without an account the offline engine of the same name is used, once its weights are here.
import { FormData } from 'undici'
import { z } from 'zod'
import { wavHeader } from '../../media/wav.ts'
import type { SttVendor } from '../../ports/vendor.ts'
import { hearOverHttp, type SttHttpDialect } from '../over/hears/over-http.ts'
import type { SttOptions } from '../over/hears/over-socket.ts'
import {
  isTranslation,
  lacksOf,
  languageOf,
  modelOr,
  translatesToo,
  usualSttAbilities,
  whisperCodes,
} from '../over/hears/wishes.ts'
import { account, requestTo } from './account.ts'
import { hearsOptions } from './own-options.ts'

/** A server that only supports `json` returns the text alone. */
const Answer = z.object({ text: z.string(), language: z.string().nullish() })

const abilities = {
  ...usualSttAbilities,
  streaming: false,
  wordTimes: false,
  // Of a prompt, Whisper reads this much of the end.
  keyterms: { mostTokens: 224 },
  // Whatever the server at the user's address understands.
  languages: 'any',
} as const

const dialect: SttHttpDialect = {
  label: account.label,
  abilities,
  encodings: ['linear16', 'mulaw', 'alaw'],
  warm: (given) => requestTo(given, '/models'),
  ask: (sound, options, given) => ({
    ...requestTo(given, isTranslation(options) ? '/audio/translations' : '/audio/transcriptions'),
    body: formOf(sound, options),
  }),
  decode: (answer) => Answer.parse(answer),
}

function formOf(sound: Uint8Array, options: SttOptions): FormData {
  const { rateHz, encoding, keyterms = [] } = options
  const header = wavHeader({ rateHz, encoding, channels: 1 }, sound.length)
  const language = languageOf(options, whisperCodes)
  const form = new FormData()
  form.set('file', new Blob([header, sound], { type: 'audio/wav' }), 'utterance.wav')
  form.set('model', modelOr('whisper-1', options))
  form.set('response_format', 'verbose_json')
  if (language && !isTranslation(options)) form.set('language', language)
  if (keyterms.length > 0) form.set('prompt', keyterms.join(', '))
  for (const [name, value] of Object.entries(hearsOptions.query('form', options))) form.set(name, `${value}`)
  return form
}

export const hears: SttVendor = {
  ...account.shared,
  abilities,
  options: {
    model: '`model`; whisper-1 unless given',
    language: '`language`; `auto`: it finds out',
    samplingRateHz: 'in the WAV header of the audio',
    encoding: 'in the WAV header of the audio: linear16, mulaw or alaw',
    task: '/audio/translations for `translate`',
    stream: null,
    turnDetection: null,
    endpointingMs: 'ours: an utterance is sent when the caller has been silent for as long',
    keyterms: '`prompt`',
  },
  ownOptions: hearsOptions,
  lacks: lacksOf({ ...dialect, tasks: translatesToo }),
  open: hearOverHttp(dialect),
}
