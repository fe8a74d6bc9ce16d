// AssemblyAI. wss /v3/ws, the bare key in `Authorization`.
//
//   → binary audio, 50 to 1,000 ms at a time · {"type":"ForceEndpoint"} · {"type":"KeepAlive"} · {"type":"Terminate"}
//   ← Begin · Turn {transcript,end_of_turn,end_of_turn_confidence,turn_is_formatted,words,language_code} · Termination
//   ← Error {error_code,error}
//
// A turn is sent again and again while it grows, once more when it has ended, and by models that write no punctuation by
// themselves (`universal-streaming-…`) again with it. Those tell how sure they are that the turn is over.
import { z } from 'zod'
import type { TranscriberOptions, TranscriptEvent } from '../../ports/transcriber.ts'
import {
  type SttListening,
  type SttMessage,
  type SttOptions,
  socketVendor,
} from '../over/hears/over-socket.ts'
import { CallerLanguages, languageOf, modelOr, patiently } from '../over/hears/wishes.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import type { Query } from '../over/wire/vendor-address.ts'
import { account } from './account.ts'
import { hearsOptions } from './own-options.ts'

// The messages of assemblyai 4.41.
const types = [
  ...(['Begin', 'Turn', 'SpeechStarted', 'Termination', 'Error', 'Warning', 'Heartbeat', 'Silence'] as const),
  ...(['SpeakerRevision', 'LLMGatewayResponse'] as const),
]
const Message = z.object({ type: z.enum(types) })
const Turn = z.object({
  transcript: z.string(),
  end_of_turn: z.boolean(),
  end_of_turn_confidence: z.number().optional(),
  turn_is_formatted: z.boolean(),
  words: z.array(z.object({ text: z.string(), start: z.number(), end: z.number() })).default([]),
  language_code: z.string().nullish(),
})
type Turn = z.infer<typeof Turn>
const Failure = z.object({ error_code: z.number().optional(), error: z.string() })

const encodings = { linear16: 'pcm_s16le', mulaw: 'pcm_mulaw', alaw: 'pcm_s16le' } as const
// assemblyai.com/docs, of its streaming models, as of 2026-11.
const understood = 'en es fr de it pt tr nl sv no da fi hi vi ar he ja zh'.split(' ')

const modelOf = (options: TranscriberOptions): string => modelOr('universal-3-5-pro', options)

const tellsConfidence = (options: TranscriberOptions): boolean =>
  modelOf(options).startsWith('universal-streaming')

// AssemblyAI's own, at which a turn is probably over.
const usualConfidence = 0.4

const Own = z
  .object({
    min_turn_silence: z.number(),
    max_turn_silence: z.number(),
    end_of_turn_confidence_threshold: z.number(),
  })
  .partial()
const ownOf = (options: TranscriberOptions) => Own.parse(hearsOptions.at('query', options))

interface TurnSilences {
  /** The silence that ends a turn that sounds complete, and any turn. */
  readonly leastMs: number
  readonly mostMs: number
}

/** What the agent gives; else AssemblyAI's own for each kind of model, as patiently as the agent wants them. */
function silencesOf(options: TranscriberOptions): TurnSilences {
  const { min_turn_silence: least, max_turn_silence: most } = ownOf(options)
  const usual = usualSilencesOf(options)
  const mostMs = most ?? Math.max(usual.mostMs, least ?? 0)
  return { leastMs: least ?? Math.min(usual.leastMs, mostMs), mostMs }
}

function usualSilencesOf(options: TranscriberOptions): TurnSilences {
  const { endpointingMs, turnDetection } = options
  if (turnDetection === 'call') return { leastMs: endpointingMs, mostMs: endpointingMs }
  const [leastMs, mostMs] = tellsConfidence(options) ? [400, 1_280] : [100, 1_000]
  return {
    leastMs: patiently(leastMs, [50, 2_000], options),
    mostMs: patiently(mostMs, [200, 8_000], options),
  }
}

function queryOf(options: SttOptions): Query {
  const model = modelOf(options)
  const language = languageOf(options, { nb: 'no', fil: 'tl' })
  // Older models understand one language, or six at a time, and cannot be told which.
  const isSteerable = /^(u3|universal-3)/.test(model)
  const { keyterms = [] } = options
  const { leastMs, mostMs } = silencesOf(options)
  return {
    speech_model: model,
    sample_rate: options.rateHz,
    encoding: encodings[options.encoding],
    format_turns: true,
    min_turn_silence: leastMs,
    max_turn_silence: mostMs,
    end_of_turn_confidence_threshold: tellsConfidence(options) ? usualConfidence : undefined,
    language_codes: language && isSteerable ? JSON.stringify([language]) : undefined,
    language_detection: language ? undefined : true,
    keyterms_prompt: keyterms.length > 0 ? JSON.stringify(keyterms) : undefined,
    ...hearsOptions.query('query', options),
    ...inJson(hearsOptions.at('lists', options)),
  }
}

const inJson = (lists: Readonly<Record<string, unknown>>): Query =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, JSON.stringify(list)]))

const likely: TranscriptEvent = { type: 'end-of-turn', is: 'likely' }

function listening(options: SttOptions): SttListening {
  const languages = new CallerLanguages(options)
  const { end_of_turn_confidence_threshold: likelyFrom = usualConfidence } = ownOf(options)
  const isSure = tellsConfidence(options)
    ? ({ end_of_turn_confidence: sure = 0 }: Turn) => sure >= likelyFrom
    : () => false
  return {
    finalize: () => '{"type":"ForceEndpoint"}',
    bye: '{"type":"Terminate"}',
    decode(raw): readonly SttMessage[] {
      const { type } = readVendorMessage(Message, raw)
      if (type === 'Error') {
        const { error_code: code = '', error } = Failure.parse(raw)
        return [{ type: 'failed', reason: `${code} ${error}`.trim() }]
      }
      if (type !== 'Turn') return []
      const turn = Turn.parse(raw)
      const text = turn.transcript
      // The text with punctuation is still to come, and is the final.
      const isLikely = turn.end_of_turn || isSure(turn)
      if (!turn.end_of_turn || !turn.turn_is_formatted)
        return [{ type: 'partial', text }, ...(isLikely && text !== '' ? [likely] : [])]
      return [
        ...languages.hear(turn.language_code, text),
        {
          type: 'final',
          text,
          endMs: turn.words.at(-1)?.end,
          words: turn.words.map(({ text: word, start, end }) => ({ text: word, startMs: start, endMs: end })),
        },
        { type: 'end-of-turn', is: 'certain' },
      ]
    },
  }
}

export const hears = socketVendor(account, {
  languages: understood,
  // AssemblyAI refuses more.
  abilities: { keyterms: { most: 100, mostChars: 50 } },
  options: {
    model: '`speech_model`; universal-3-5-pro unless given',
    language: '`language_codes`, for models of the third generation; `auto`: `language_detection`',
    samplingRateHz: '`sample_rate`',
    encoding: '`encoding`: linear16 or mulaw',
    endpointingMs:
      '`min_turn_silence` and `max_turn_silence`: 100 and 1,000 ms at 500, 400 and 1,280 of `universal-streaming-…`; both as it is where Parley decides',
    turnDetection: 'always, unless asked not to: then `ForceEndpoint` ends turns',
    keyterms: '`keyterms_prompt`',
  },
  ownOptions: hearsOptions,
  detectsTurns: (options) =>
    options.turnDetection === 'call'
      ? undefined
      : { isEager: false, longestSilenceMs: silencesOf(options).mostMs },
  encodings: ['linear16', 'mulaw'],
  chunkMs: 60,
  keepAlive: { everyMs: 8_000, message: '{"type":"KeepAlive"}' },
  connect: (options, given) => account.socket(given, '/v3/ws', queryOf(options)),
  listen: listening,
})
