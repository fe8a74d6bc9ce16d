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
import { withOwn } from '../over/own-options.ts'
import { account } from './account.ts'
import { hearsOptions } from './own-options.ts'

const Message = z.object({
  type: z.string(),
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

export const hears = socketVendor(account, {
  languages: understood,
  abilities: { ownEndpointing: false, wordTimes: false },
  options: {
    model: '`transcription.model`',
    language: '`transcription.language`; left out where it is to find out',
    samplingRateHz: null,
    encoding: null,
    endpointingMs: 'measured here, then `input_audio_buffer.commit`',
    keyterms: '`transcription.prompt`',
    stream: 'always streamed',
  },
  ownOptions: hearsOptions,
  rates: [24_000],
  chunkMs: 100,
  connect: (options, given) => ({
    ...account.socket(given, '/v1/realtime', { intent: 'transcription' }),
    hello: sessionOf(options),
  }),
  listen,
})

function sessionOf(options: SttOptions): string {
  const { model, language, keyterms = [] } = options
  const transcription = {
    model: model || 'gpt-4o-transcribe',
    language: languageOf({ language }, whisperCodes),
    ...(keyterms.length > 0 && { prompt: `Expect: ${keyterms.join(', ')}` }),
  }
  const usual = { format: { type: 'audio/pcm', rate: 24_000 }, transcription, turn_detection: null }
  const input = withOwn(usual, hearsOptions.at('input', options))
  return JSON.stringify({ type: 'session.update', session: { type: 'transcription', audio: { input } } })
}

const transcribed = 'conversation.item.input_audio_transcription'
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
      const { type, item_id: id = '', delta = '', transcript = '', error } = Message.parse(raw)
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
