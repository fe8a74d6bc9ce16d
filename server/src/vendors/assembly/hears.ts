// AssemblyAI. wss /v3/ws, the bare key in `Authorization`.
//
//   → binary audio, 50 to 1,000 ms at a time · {"type":"ForceEndpoint"} · {"type":"KeepAlive"} · {"type":"Terminate"}
//   ← Begin · Turn {transcript,end_of_turn,turn_is_formatted,words,language_code} · Termination · Error {error_code,error}
//
// A turn is sent again and again while it grows, once more when it has ended, and by some models again with punctuation.
import { z } from 'zod'
import {
  type SttListening,
  type SttMessage,
  type SttOptions,
  socketVendor,
} from '../over/hears/over-socket.ts'
import { CallerLanguages, languageOf, modelOr } from '../over/hears/wishes.ts'
import type { Query } from '../over/wire/vendor-address.ts'
import { account } from './account.ts'
import { hearsOptions } from './own-options.ts'

const Message = z.object({ type: z.string() })
const Turn = z.object({
  transcript: z.string(),
  end_of_turn: z.boolean(),
  turn_is_formatted: z.boolean(),
  words: z.array(z.object({ text: z.string(), start: z.number(), end: z.number() })).default([]),
  language_code: z.string().nullish(),
})
const Failure = z.object({ error_code: z.number().optional(), error: z.string() })

const encodings = { linear16: 'pcm_s16le', mulaw: 'pcm_mulaw', alaw: 'pcm_s16le' } as const
// AssemblyAI refuses more.
const mostKeyterms = 100
const mostKeytermChars = 50

// assemblyai.com/docs, of its streaming models, as of 2026-11.
const understood = 'en es fr de it pt tr nl sv no da fi hi vi ar he ja zh'.split(' ')

function queryOf(options: SttOptions): Query {
  const model = modelOr('universal-3-5-pro', options)
  const language = languageOf(options, { nb: 'no', fil: 'tl' })
  // Older models understand one language, or six at a time, and cannot be told which.
  const isSteerable = /^(u3|universal-3)/.test(model)
  const terms = termsOf(options)
  return {
    speech_model: model,
    sample_rate: options.rateHz,
    encoding: encodings[options.encoding],
    format_turns: true,
    min_turn_silence: options.endpointingMs,
    max_turn_silence: options.endpointingMs,
    language_codes: language && isSteerable ? JSON.stringify([language]) : undefined,
    language_detection: language ? undefined : true,
    keyterms_prompt: terms.length > 0 ? JSON.stringify(terms) : undefined,
    ...hearsOptions.query('query', options),
    ...inJson(hearsOptions.at('lists', options)),
  }
}

const inJson = (lists: Readonly<Record<string, unknown>>): Query =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, JSON.stringify(list)]))

const termsOf = ({ keyterms = [] }: Pick<SttOptions, 'keyterms'>): readonly string[] =>
  keyterms.filter(({ length }) => length <= mostKeytermChars).slice(0, mostKeyterms)

function listening(options: SttOptions): SttListening {
  const languages = new CallerLanguages(options)
  return {
    finalize: () => '{"type":"ForceEndpoint"}',
    bye: '{"type":"Terminate"}',
    decode(raw): readonly SttMessage[] {
      const { type } = Message.parse(raw)
      if (type === 'Error') {
        const { error_code: code = '', error } = Failure.parse(raw)
        return [{ type: 'failed', reason: `${code} ${error}`.trim() }]
      }
      if (type !== 'Turn') return []
      const turn = Turn.parse(raw)
      const text = turn.transcript
      if (!turn.end_of_turn) return [{ type: 'partial', text }]
      if (!turn.turn_is_formatted) return []
      return [
        ...languages.hear(turn.language_code, text),
        {
          type: 'final',
          text,
          endMs: turn.words.at(-1)?.end,
          words: turn.words.map(({ text: word, start, end }) => ({ text: word, startMs: start, endMs: end })),
        },
      ]
    },
  }
}

export const hears = socketVendor(account, {
  languages: understood,
  options: {
    model: '`speech_model`; universal-3-5-pro unless given',
    language: '`language_codes`, for models of the third generation; `auto`: `language_detection`',
    samplingRateHz: '`sample_rate`',
    encoding: '`encoding`: linear16 or mulaw',
    endpointingMs: '`min_turn_silence` and `max_turn_silence`',
    keyterms: '`keyterms_prompt`: at most 100, of at most 50 characters',
  },
  ownOptions: hearsOptions,
  furtherLacks: (asked) => (termsOf(asked).length < (asked.keyterms ?? []).length ? ['keyterms'] : []),
  encodings: ['linear16', 'mulaw'],
  chunkMs: 60,
  keepAlive: { everyMs: 8_000, message: '{"type":"KeepAlive"}' },
  connect: (options, given) => account.socket(given, '/v3/ws', queryOf(options)),
  listen: listening,
})
