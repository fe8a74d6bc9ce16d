// OpenAI. wss /v1/realtime?intent=transcription, `Authorization: Bearer`: 24 kHz only. An utterance is over when we
// commit it.
//
//   → {"type":"session.update","session":{"type":"transcription","audio":{"input":{…}}}}
//   → {"type":"input_audio_buffer.append","audio":"base64"} · {"type":"input_audio_buffer.commit"}
//   ← {"type":"conversation.item.input_audio_transcription.delta","item_id":"…","delta":"…"}
//   ← {"type":"conversation.item.input_audio_transcription.completed","item_id":"…","transcript":"…"}
//   ← {"type":"error","error":{"code":"…","message":"…"}} · session.created · session.updated · input_audio_buffer.committed …
import { z } from 'zod'
import { type SttListening, type SttOptions, socketVendor } from '../over/hears/over-socket.ts'
import { languageOf, whisperCodes } from '../over/hears/wishes.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { account } from './account.ts'

const transcribed = 'conversation.item.input_audio_transcription'
// The messages of a transcription session, as of openai 7.55.
const types = [
  ...(['session.created', 'session.updated', 'session.closed', 'rate_limits.updated', 'error'] as const),
  ...(['conversation.created', 'conversation.item.created', 'conversation.item.added'] as const),
  ...(['conversation.item.done', 'conversation.item.deleted'] as const),
  ...(['input_audio_buffer.committed', 'input_audio_buffer.cleared'] as const),
  ...(['input_audio_buffer.speech_started', 'input_audio_buffer.speech_stopped'] as const),
  ...(['transcription_session.created', 'transcription_session.updated'] as const),
  ...([`${transcribed}.delta`, `${transcribed}.segment`] as const),
  ...([`${transcribed}.completed`, `${transcribed}.failed`] as const),
]
const Message = z.object({
  type: z.enum(types),
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
  abilities: { ownEndpointing: false, wordTimes: false, finalAfterMs: commitAfterMs },
  options: {
    model: '`transcription.model`',
    language: '`transcription.language`; left out where it is to find out',
    samplingRateHz: null,
    encoding: null,
    endpointingMs: 'measured here, then `input_audio_buffer.commit`',
    keyterms: '`transcription.prompt`',
    stream: 'always streamed',
  },
  rates: [24_000],
  chunkMs: 100,
  connect: (options, given) => ({
    ...account.socket(given, '/v1/realtime', { intent: 'transcription' }),
    hello: sessionOf(options),
  }),
  listen,
})

function sessionOf({ model, language, keyterms = [] }: SttOptions): string {
  const transcription = {
    model: model || 'gpt-4o-transcribe',
    language: languageOf({ language }, whisperCodes),
    ...(keyterms.length > 0 && { prompt: `Expect: ${keyterms.join(', ')}` }),
  }
  const input = { format: { type: 'audio/pcm', rate: 24_000 }, transcription, turn_detection: null }
  return JSON.stringify({ type: 'session.update', session: { type: 'transcription', audio: { input } } })
}

const commit = '{"type":"input_audio_buffer.commit"}'

function listen(): SttListening {
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
        return [{ type: 'final', text: transcript.trim() }]
      }
      // There was too little to commit: nobody spoke.
      if (error?.code === 'input_audio_buffer_commit_empty') return [{ type: 'final', text: '' }]
      if (type === 'error' || type === `${transcribed}.failed`)
        return [{ type: 'failed', reason: error?.message ?? 'no reason was given' }]
      return []
    },
  }
}
