// ElevenLabs. wss /v1/speech-to-text/realtime, `xi-api-key`. An utterance is over when we commit it, or by a silence if the
// agent leaves that to the vendor.
//
//   → {"message_type":"input_audio_chunk","audio_base_64":"…","commit":false,"sample_rate":16000}
//   ← {"message_type":"session_started"} · {"message_type":"partial_transcript","text":"…"}
//   ← {"message_type":"committed_transcript","text":"…"}
//   ← {"message_type":"committed_transcript_with_timestamps","text":"…","language_code":"…"}   in addition, where asked for
//   ← {"message_type":"…_error","error":"…"}
//
// A client that sends no audio is disconnected: silence keeps it connected.
import { z } from 'zod'
import type { TranscriberOptions, TranscriptEvent } from '../../ports/transcriber.ts'
import { type SttListening, type SttOptions, socketVendor } from '../over/hears/over-socket.ts'
import { isAny, languageOf, newLanguageTold } from '../over/hears/wishes.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import type { Query } from '../over/wire/vendor-address.ts'
import { account } from './account.ts'
import { hearsOptions } from './own-options.ts'

// The messages of @elevenlabs/client, besides errors, which have `error`.
const transcripts = [
  ...(['session_started', 'partial_transcript', 'committed_transcript'] as const),
  ...(['committed_transcript_with_timestamps', 'committed_transcript_entities'] as const),
  ...(['final_transcript', 'final_transcript_with_timestamps'] as const),
]
const Transcript = z.object({
  message_type: z.enum(transcripts),
  text: z.string().optional(),
  language_code: z.string().nullish(),
})
const Failure = z.object({ message_type: z.string(), error: z.string() })

// elevenlabs.io/docs/capabilities/speech-to-text, as of 2026-11.
const understood = [
  'af am ar as ast az be bg bn bs ca ceb cs cy da de el en es et fa ff fi fil fr ga gl gu ha he hi hr',
  'hu hy id ig is it ja jv ka kea kk km kn ko ku ky lb lg ln lo lt luo lv mi mk ml mn mr ms mt my ne',
  'nl no nso ny oc or pa pl ps pt ro ru sd sk sl sn so sr sv sw ta te tg th tr uk umb ur uz vi wo xh',
  'yue zh zu',
].flatMap((line) => line.split(' '))

// A commit ends the utterance, and what is said after it is understood without what came before: a breath is no reason.
const commitAfterMs = 400

export const hears = socketVendor(account, {
  languages: understood,
  abilities: { wordTimes: false, finalAfterMs: commitAfterMs, keyterms: { most: 50, mostChars: 20 } },
  options: {
    model: '`model_id`',
    language: '`language_code`; `include_language_detection` where it is to find out',
    samplingRateHz: '`audio_format`',
    encoding: null,
    endpointingMs:
      'measured here, then `commit`; `vad_silence_threshold_secs`, from 0.3 to 3, where it detects turns',
    turnDetection: '`commit_strategy`: `vad` if asked to, else `manual`',
    keyterms: '`keyterms`',
    stream: 'always streamed',
  },
  ownOptions: hearsOptions,
  detectsTurns: (options) =>
    isDetecting(options) ? { isEager: false, longestSilenceMs: silenceMsOf(options) } : undefined,
  connect: (options, given) => account.socket(given, '/v1/speech-to-text/realtime', queryOf(options)),
  chunkMs: 100,
  keepAlive: ({ rateHz }) => ({
    everyMs: 5_000,
    message: chunkOf(new Uint8Array((rateHz / 10) * 2), rateHz, false),
  }),
  listen,
})

const isDetecting = ({ turnDetection }: TranscriberOptions): boolean => turnDetection === 'engine'

const Own = z.object({ vad_silence_threshold_secs: z.number() }).partial()

/** What the agent gives; else as patient as it is, within what ElevenLabs accepts. */
function silenceMsOf(options: TranscriberOptions): number {
  const { vad_silence_threshold_secs: seconds } = Own.parse(hearsOptions.at('query', options))
  return seconds === undefined ? Math.min(Math.max(options.endpointingMs, 300), 3_000) : seconds * 1_000
}

function queryOf(options: SttOptions): Query {
  const { model, language, rateHz, keyterms } = options
  const isAuto = isAny({ language })
  const detects = isDetecting(options)
  return {
    model_id: model || 'scribe_v2_realtime',
    language_code: languageOf({ language }),
    audio_format: `pcm_${rateHz}`,
    commit_strategy: detects ? 'vad' : 'manual',
    vad_silence_threshold_secs: detects ? silenceMsOf(options) / 1_000 : undefined,
    include_language_detection: isAuto || undefined,
    keyterms,
    ...hearsOptions.query('query', options),
  }
}

function listen(options: SttOptions): SttListening {
  const { language, rateHz } = options
  const isAuto = isAny({ language })
  const newLanguage = newLanguageTold({ language })
  const committed = (text: string): readonly TranscriptEvent[] => [
    { type: 'final', text: text.trim() },
    ...(isDetecting(options) ? [{ type: 'end-of-turn', is: 'certain' } as const] : []),
  ]
  return {
    encode: (sound) => chunkOf(sound, rateHz, false),
    finalize: () => chunkOf(new Uint8Array(0), rateHz, true),
    bye: chunkOf(new Uint8Array(0), rateHz, true),
    decode(raw) {
      const failure = Failure.safeParse(raw).data
      // There was too little to commit: nobody spoke.
      if (failure?.message_type === 'commit_throttled') return [{ type: 'final', text: '' }]
      if (failure) return [{ type: 'failed', reason: failure.error }]
      const { message_type: type, text = '', language_code } = readVendorMessage(Transcript, raw)
      if (type === 'partial_transcript') return text ? [{ type: 'partial', text: text.trim() }] : []
      // With language detection the same words come twice; only the second message has the language.
      if (type === 'committed_transcript') return isAuto ? [] : committed(text)
      if (type === 'committed_transcript_with_timestamps')
        return isAuto ? [...newLanguage(language_code), ...committed(text)] : []
      return []
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
