// Smallest (Waves). A socket for each saying: it cannot be interrupted, and closes the connection when all is said.
//
//   → {text, voice_id, model, …, continue: true, flush: true} for each clause · the same without text, continue: false
//   ← {status: chunk, request_id, data: {audio}} · {status: word_timestamp, request_id, data: {word, start, end}}
//   ← {status: complete} · {status: error, message}
//
// Word times begin anew with each request_id.
import { z } from 'zod'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { TtsMessage, TtsSaying } from '../over/speaks/dialect.ts'
import { voiceOf, within } from '../over/speaks/options.ts'
import { socketVoices } from '../over/speaks/over-socket.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { writtenLanguage } from '../over/written-language.ts'
import { account } from './account.ts'
import { speaksOptions } from './own-options.ts'

const usualModel = 'lightning_v3.1'
const usualVoice = 'sophia'
// Smallest closes a silent connection after a minute unless it is asked to wait longer; a telephone may ring for two.
const idleSeconds = 300

// docs.smallest.ai, of Lightning, as of 2026-11.
const spoken = [
  'en hi mr kn ta bn gu te ml pa or es de fr it nl sv pt ru el fi no pl ar zh id ja ko ms tr vi',
].flatMap((line) => line.split(' '))

const Message = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('chunk'),
    request_id: z.string().optional(),
    data: z.object({ audio: z.string() }),
  }),
  z.object({
    status: z.literal('word_timestamp'),
    request_id: z.string().optional(),
    data: z.object({ word: z.string(), start: z.number(), end: z.number() }),
  }),
  z.object({ status: z.literal('complete') }),
  z.object({ status: z.literal('error'), message: z.string().optional(), error: z.unknown().optional() }),
])

export const speaks = socketVoices(account, {
  abilities: { streaming: true, clauseEnds: false, wordTimes: true, languages: spoken },
  options: {
    voice: '`voice_id`',
    voiceId: '`voice_id`, instead of its name',
    model: '`model`',
    language: '`language`',
    speed: '`speed`, from 0.5 to 2',
  },
  ownOptions: speaksOptions,
  // The vendor has no 48 kHz.
  rateHz: (lineHz) => (lineHz === 48_000 ? 24_000 : lineHz),
  connect: (_, given) => account.socket(given, '/waves/v1/tts/live', { timeout: idleSeconds }),
  begin: (_, options) => begin(options),
})

function begin(options: SynthesizerOptions): TtsSaying {
  const request = {
    voice_id: voiceOf(options, usualVoice),
    model: options.model || usualModel,
    language: writtenLanguage(options.language, { region: 'never' }),
    sample_rate: options.rateHz,
    speed: within(0.5, 2, options.speed),
    word_timestamps: true,
    // Otherwise Smallest waits four seconds before it reports the end.
    complete_backoff_ms: 0,
    ...speaksOptions.at('request', options),
  }
  const bytesPerMs = (options.rateHz * 2) / 1000
  /** Where the sound of each request begins. */
  const begunMs = new Map<string | undefined, number>()
  let bytes = 0
  const beginOf = (requestId: string | undefined): number => {
    const known = begunMs.get(requestId) ?? Math.round(bytes / bytesPerMs)
    begunMs.set(requestId, known)
    return known
  }
  return {
    write: (clause) => JSON.stringify({ ...request, text: `${clause} `, continue: true, flush: true }),
    finish: () => JSON.stringify({ ...request, text: '', continue: false, flush: true }),
    decode(raw): readonly TtsMessage[] {
      const message = readVendorMessage(Message, raw)
      switch (message.status) {
        case 'chunk': {
          beginOf(message.request_id)
          const pcm = Buffer.from(message.data.audio, 'base64')
          bytes += pcm.length
          return [{ type: 'sound', pcm }]
        }
        case 'word_timestamp': {
          const { word, start, end } = message.data
          const atMs = beginOf(message.request_id)
          const startMs = atMs + Math.round(start * 1000)
          return [{ type: 'words', words: [{ text: word, startMs, endMs: atMs + Math.round(end * 1000) }] }]
        }
        case 'complete':
          return [{ type: 'end' }]
        case 'error':
          return [{ type: 'failed', reason: message.message ?? JSON.stringify(message.error ?? '') }]
      }
    },
  }
}
