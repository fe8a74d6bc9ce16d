// ElevenLabs. wss /v1/speech-to-text/realtime, `xi-api-key`. An utterance is over when we commit it.
//
//   → {"message_type":"input_audio_chunk","audio_base_64":"…","commit":false,"sample_rate":16000}
//   ← {"message_type":"session_started"} · {"message_type":"partial_transcript","text":"…"}
//   ← {"message_type":"committed_transcript","text":"…"}
//   ← {"message_type":"committed_transcript_with_timestamps","text":"…","language_code":"…"}   in addition, where asked for
//   ← {"message_type":"…_error","error":"…"}
//
// A client that sends no audio is disconnected: silence keeps it connected.
import { z } from 'zod'
import { type SttListening, type SttOptions, socketVendor } from '../over/hears/over-socket.ts'
import { isAny, languageOf, newLanguageTold } from '../over/hears/wishes.ts'
import type { Query } from '../over/wire/vendor-address.ts'
import { account } from './account.ts'
import { hearsOptions } from './own-options.ts'

const Message = z.object({
  message_type: z.string(),
  text: z.string().optional(),
  language_code: z.string().nullish(),
  error: z.string().optional(),
})

// elevenlabs.io/docs/capabilities/speech-to-text, as of 2026-11.
const understood = [
  'af am ar as ast az be bg bn bs ca ceb cs cy da de el en es et fa ff fi fil fr ga gl gu ha he hi hr',
  'hu hy id ig is it ja jv ka kea kk km kn ko ku ky lb lg ln lo lt luo lv mi mk ml mn mr ms mt my ne',
  'nl no nso ny oc or pa pl ps pt ro ru sd sk sl sn so sr sv sw ta te tg th tr uk umb ur uz vi wo xh',
  'yue zh zu',
].flatMap((line) => line.split(' '))

export const hears = socketVendor(account, {
  languages: understood,
  abilities: { ownEndpointing: false, wordTimes: false },
  options: {
    model: '`model_id`',
    language: '`language_code`; `include_language_detection` where it is to find out',
    samplingRateHz: '`audio_format`',
    encoding: null,
    endpointingMs: 'measured here, then `commit`',
    keyterms: '`keyterms`',
    stream: 'always streamed',
  },
  ownOptions: hearsOptions,
  connect: (options, given) => account.socket(given, '/v1/speech-to-text/realtime', queryOf(options)),
  chunkMs: 100,
  keepAlive: ({ rateHz }) => ({
    everyMs: 5_000,
    message: chunkOf(new Uint8Array((rateHz / 10) * 2), rateHz, false),
  }),
  listen,
})

function queryOf(options: SttOptions): Query {
  const { model, language, rateHz, keyterms } = options
  const isAuto = isAny({ language })
  return {
    model_id: model || 'scribe_v2_realtime',
    language_code: languageOf({ language }),
    audio_format: `pcm_${rateHz}`,
    commit_strategy: 'manual',
    include_language_detection: isAuto || undefined,
    keyterms,
    ...hearsOptions.query('query', options),
  }
}

function listen({ language, rateHz }: SttOptions): SttListening {
  const isAuto = isAny({ language })
  const newLanguage = newLanguageTold({ language })
  return {
    encode: (sound) => chunkOf(sound, rateHz, false),
    finalize: () => chunkOf(new Uint8Array(0), rateHz, true),
    bye: chunkOf(new Uint8Array(0), rateHz, true),
    decode(raw) {
      const { message_type: type, text = '', language_code, error } = Message.parse(raw)
      if (type === 'partial_transcript') return text ? [{ type: 'partial', text: text.trim() }] : []
      // With language detection the same words come twice; only the second message has the language.
      if (type === 'committed_transcript') return isAuto ? [] : [{ type: 'final', text: text.trim() }]
      if (type === 'committed_transcript_with_timestamps')
        return isAuto ? [...newLanguage(language_code), { type: 'final', text: text.trim() }] : []
      // There was too little to commit: nobody spoke.
      if (type === 'commit_throttled') return [{ type: 'final', text: '' }]
      // Messages of other types, as of entities in what was said, are passed over.
      return error === undefined ? [] : [{ type: 'failed', reason: error }]
    },
  }
}

const chunkOf = (sound: Uint8Array, rateHz: number, commit: boolean): string =>
  JSON.stringify({
    message_type: 'input_audio_chunk',
    audio_base_64: Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength).toString('base64'),
    commit,
    sample_rate: rateHz,
  })
