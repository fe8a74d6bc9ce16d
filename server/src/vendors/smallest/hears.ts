// Smallest. wss /waves/v1/stt/live, Bearer.
//
//   → binary audio · {"type":"finalize"} · {"type":"close_stream"}
//   ← {"transcript","is_final","is_last","language","words":[{"word","start","end"}]} · {"error"} or {"message"}
import { z } from 'zod'
import {
  type SttListening,
  type SttMessage,
  type SttOptions,
  socketVendor,
} from '../over/hears/over-socket.ts'
import { silenceOf } from '../over/hears/sound.ts'
import { CallerLanguages, languageOf, modelOr, wordsInMs } from '../over/hears/wishes.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { account } from './account.ts'
import { hearsOptions } from './own-options.ts'

const Message = z
  .object({
    transcript: z.string().optional(),
    is_final: z.boolean().optional(),
    language: z.string().nullish(),
    words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })).nullish(),
    error: z
      .union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)])
      .nullish(),
    type: z.string().optional(),
    message: z.string().optional(),
  })
  .refine(({ transcript, error, type }) => transcript !== undefined || error != null || type === 'error')

// Smallest refuses other values.
const [leastSilenceMs, mostSilenceMs] = [100, 10_000]

/** Pairs of a word and how much it is to be preferred; an empty list would be taken for an empty word. */
const keywordsOf = ({ keyterms = [] }: SttOptions): string | undefined =>
  keyterms.length > 0 ? keyterms.map((term) => (/:\d/.test(term) ? term : `${term}:2`)).join() : undefined

function listening(options: SttOptions): SttListening {
  const languages = new CallerLanguages(options)
  return {
    finalize: () => '{"type":"finalize"}',
    bye: '{"type":"close_stream"}',
    decode(raw): readonly SttMessage[] {
      const message = readVendorMessage(Message, raw)
      const { transcript, error } = message
      if (transcript === undefined)
        return [{ type: 'failed', reason: error ?? message.message ?? 'no reason was given' }]
      const text = transcript.trim()
      if (!message.is_final) return [{ type: 'partial', text }]
      const words = wordsInMs(message.words ?? [], ({ word }) => word)
      const endMs = words.at(-1)?.endMs
      return [...languages.hear(message.language, text), { type: 'final', text, endMs, words }]
    },
  }
}

export const hears = socketVendor(account, {
  // Smallest's documents count 39 languages, as of 2026-11, and do not name all of them.
  languages: 'any',
  options: {
    model: '`model`; pulse unless given',
    language: '`language`; `auto`: `multi`',
    samplingRateHz: '`sample_rate`',
    encoding: '`encoding`: linear16, mulaw or alaw',
    endpointingMs: '`eou_timeout_ms`, between 100 and 10,000',
    keyterms: '`keywords`, each with a weight of 2 unless it has its own, as in `Maple:3`',
  },
  ownOptions: hearsOptions,
  encodings: ['linear16', 'mulaw', 'alaw'],
  // 10 ms of silence at 8 kHz: Smallest has no other message that keeps a connection open.
  keepAlive: ({ encoding }) => ({ everyMs: 8_000, message: silenceOf(10, 8_000, encoding) }),
  connect: (options, given) =>
    account.socket(given, '/waves/v1/stt/live', {
      model: modelOr('pulse', options),
      language: languageOf(options) ?? 'multi',
      encoding: options.encoding,
      sample_rate: options.rateHz,
      word_timestamps: true,
      endpointing: true,
      eou_timeout_ms: Math.min(Math.max(options.endpointingMs, leastSilenceMs), mostSilenceMs),
      keywords: keywordsOf(options),
      ...hearsOptions.query('query', options),
    }),
  listen: listening,
})
