// OpenAI. wss /v1/realtime?intent=transcription, `Authorization: Bearer`: 24 kHz only. An utterance is over when we
// commit it, or when its own turn detection says so if the agent leaves that to the vendor.
//
//   → {"type":"session.update","session":{"type":"transcription","audio":{"input":{…}}}}
//   → {"type":"input_audio_buffer.append","audio":"base64"} · {"type":"input_audio_buffer.commit"}
//   ← {"type":"conversation.item.input_audio_transcription.delta","item_id":"…","delta":"…"}
//   ← {"type":"conversation.item.input_audio_transcription.completed","item_id":"…","transcript":"…"}
//   ← {"type":"error","error":{"code":"…","message":"…"}} · session.created · session.updated · input_audio_buffer.committed …
import { z } from 'zod'
import type { TranscriberOptions } from '../../ports/transcriber.ts'
import { type SttListening, type SttOptions, socketVendor } from '../over/hears/over-socket.ts'
import { patienceOf } from '../over/hears/wishes.ts'
import { withOwn } from '../over/own-options.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { account } from './account.ts'
import { hearsOptions } from './own-options.ts'
import { serverEvents, transcribed } from './server-events.ts'
import { hearsTurns, takesNames, transcriptionOf } from './transcription.ts'

const Message = z.object({
  type: z.enum(serverEvents),
  item_id: z.string().optional(),
  delta: z.string().optional(),
  transcript: z.string().optional(),
  error: z.object({ code: z.string().nullish(), message: z.string().optional() }).nullish(),
})

// platform.openai.com/docs/guides/speech-to-text, as of 2026-11.
const understood = [
  'af ar az be bg bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk kn ko lt lv',
  'mi mk mr ms ne nl no pl pt ro ru sk sl sr sv sw ta th tl tr uk ur vi zh',
].flatMap((line) => line.split(' '))

// A commit ends the utterance, and what is said after it is understood without what came before: a breath is no reason.
const commitAfterMs = 400

export const hears = socketVendor(account, {
  languages: understood,
  abilities: { wordTimes: false, finalAfterMs: commitAfterMs },
  options: {
    model: '`transcription.model`; gpt-live-transcribe unless given',
    language: '`transcription.languages`, of other models `language`; left out where it is to find out',
    samplingRateHz: null,
    encoding: null,
    endpointingMs: 'measured here, then `input_audio_buffer.commit`; `eagerness` where it detects turns',
    turnDetection: '`turn_detection`: `semantic_vad` if asked to and the model has it, else null',
    keyterms: '`transcription.keywords`; of models before gpt-transcribe, `prompt`',
    stream: 'always streamed',
  },
  ownOptions: hearsOptions,
  furtherLacks: ({ model = '', keyterms }) => [
    ...(keyterms && !takesNames(model) ? (['keyterms'] as const) : []),
    ...(hearsTurns(model) ? [] : (['turnDetection'] as const)),
  ],
  detectsTurns: (options) =>
    isDetecting(options) ? { isEager: false, longestSilenceMs: silenceMs[eagernessOf(options)] } : undefined,
  rates: [24_000],
  chunkMs: 100,
  connect: (options, given) => ({
    ...account.socket(given, '/v1/realtime', { intent: 'transcription' }),
    hello: sessionOf(options),
  }),
  listen,
})

const isDetecting = ({ model, turnDetection }: TranscriberOptions): boolean =>
  turnDetection === 'engine' && hearsTurns(model)

/** The silence that ends any turn, by how eager the detection is. */
const silenceMs = { high: 2_000, medium: 4_000, low: 8_000 } as const

function eagernessOf(options: TranscriberOptions): keyof typeof silenceMs {
  const patience = patienceOf(options)
  if (patience <= 0.6) return 'high'
  return patience < 1.6 ? 'medium' : 'low'
}

function sessionOf(options: SttOptions): string {
  const usual = {
    format: { type: 'audio/pcm', rate: 24_000 },
    transcription: transcriptionOf(options),
    turn_detection: isDetecting(options) ? { type: 'semantic_vad', eagerness: eagernessOf(options) } : null,
  }
  const input = (['input', 'told', 'listed', 'whispered'] as const).reduce<object>(
    (session, place) => withOwn(session, hearsOptions.at(place, options)),
    usual,
  )
  return JSON.stringify({ type: 'session.update', session: { type: 'transcription', audio: { input } } })
}

const commit = '{"type":"input_audio_buffer.commit"}'

function listen(options: SttOptions): SttListening {
  const partials = new Map<string, string>()
  return {
    encode: (sound) =>
      JSON.stringify({
        type: 'input_audio_buffer.append',
        audio: Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength).toString('base64'),
      }),
    finalize: () => commit,
    bye: commit,
    decode(raw) {
      const { type, item_id: id = '', delta = '', transcript = '', error } = readVendorMessage(Message, raw)
      if (type === `${transcribed}.delta`) {
        const text = (partials.get(id) ?? '') + delta
        partials.set(id, text)
        return text.trim() ? [{ type: 'partial', text: text.trim() }] : []
      }
      if (type === `${transcribed}.completed`) {
        partials.delete(id)
        return [
          { type: 'final', text: transcript.trim() },
          ...(isDetecting(options) ? [{ type: 'end-of-turn', is: 'certain' } as const] : []),
        ]
      }
      // There was too little to commit: nobody spoke.
      if (error?.code === 'input_audio_buffer_commit_empty') return [{ type: 'final', text: '' }]
      if (type === 'error' || type === `${transcribed}.failed`)
        return [{ type: 'failed', reason: error?.message ?? 'no reason was given' }]
      return []
    },
  }
}
