// Sarvam: one text at a time over one socket, configured by its first message.
//
//   → {type: config, data} · {type: text, data: {text}} · {type: flush} · {type: ping}
//   ← {type: audio, data: {audio}} · {type: event, data: {event_type: final}} after a flush · {type: error, data}
//
// Sarvam cannot be interrupted: what is being synthesized goes on until its `final`.
import { z } from 'zod'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import { voiceOf, within } from '../over/speaks/options.ts'
import { socketVoices } from '../over/speaks/over-socket.ts'
import { oneAtATime, type TurnMessage } from '../over/speaks/turns.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { writtenLanguage } from '../over/written-language.ts'
import { account } from './account.ts'
import { oldModel, speaksOptions } from './own-options.ts'

const usualModel = 'bulbul:v3'
/** Each model has speakers of its own. */
const usualVoices: Readonly<Record<string, string>> = { [oldModel]: 'anushka', 'bulbul:v3': 'shubh' }

// The language codes of sarvamai 1.1.10, as of 2026-11.
const spoken = 'hi bn gu kn ml mr or pa ta te en'.split(' ')

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('audio'), data: z.object({ audio: z.string() }) }),
  z.object({ type: z.literal('event'), data: z.object({ event_type: z.string() }) }),
  z.object({ type: z.literal('error'), data: z.object({ message: z.string().optional() }).optional() }),
])

export const speaks = socketVoices(account, {
  abilities: { streaming: true, clauseEnds: true, wordTimes: false, languages: spoken },
  options: {
    voice: '`speaker`',
    voiceId: '`speaker`, instead of its name',
    model: '`model`',
    language: '`language_code`, always of India',
    temperature: '`temperature`, from 0.01 to 1, of bulbul:v3',
    speed: '`pace`: from 0.5 to 2, of bulbul:v2 from 0.3 to 3',
    bufferSize: 'how much text it gets at a time, above 40 characters, and `min_buffer_size`',
  },
  ownOptions: speaksOptions,
  lacks: ({ model }) => (model === oldModel ? ['temperature'] : []),
  // The vendor has no 48 kHz.
  rateHz: (lineHz) => (lineHz === 48_000 ? 24_000 : lineHz),
  connect: (options, given) => ({
    ...account.socket(given, '/text-to-speech/ws', {
      model: options.model || usualModel,
      send_completion_event: true,
    }),
    hello: JSON.stringify({ type: 'config', data: configOf(options) }),
  }),
  // Sarvam closes a silent connection after a minute.
  keepAlive: { everyMs: 20_000, message: '{"type":"ping"}' },
  sharing: 'when-cleared',
  begin: (_, { rateHz }) =>
    oneAtATime({
      rateHz,
      speak: (clause) => [JSON.stringify({ type: 'text', data: { text: clause } }), '{"type":"flush"}'],
      decode,
    }),
})

function configOf(options: SynthesizerOptions): object {
  const model = options.model || usualModel
  const isOld = model === oldModel
  const language = languageOf(options.language)
  return {
    model,
    // The parameter was renamed: servers take one name or the other.
    language_code: language,
    target_language_code: language,
    speaker: voiceOf(options, usualVoices[model] ?? 'shubh').toLowerCase(),
    pace: isOld ? within(0.3, 3, options.speed) : within(0.5, 2, options.speed),
    temperature: isOld ? undefined : within(0.01, 1, options.temperature),
    min_buffer_size: within(30, 200, options.bufferSize),
    speech_sample_rate: `${options.rateHz}`,
    output_audio_codec: 'linear16',
    ...speaksOptions.at('config', options),
    ...speaksOptions.at('old', options),
    ...speaksOptions.at('new', options),
  }
}

/** Sarvam has a code of its own for Odia. */
const languageOf = (language: string | undefined): string =>
  `${writtenLanguage(language, { region: 'never', own: { or: 'od' } }) ?? 'en'}-IN`

function decode(raw: unknown): readonly TurnMessage[] {
  const message = readVendorMessage(Message, raw)
  switch (message.type) {
    case 'audio':
      return [{ type: 'sound', pcm: Buffer.from(message.data.audio, 'base64') }]
    case 'event':
      return message.data.event_type === 'final' ? [{ type: 'done' }] : []
    case 'error':
      return [{ type: 'failed', reason: message.data?.message ?? '' }]
  }
}
