// Soniox. wss /transcribe-websocket; the key is in the first message.
//
//   → {"api_key","model","audio_format",…} · binary audio · {"type":"finalize"} · {"type":"keepalive"} · "" (the end)
//   ← {"tokens":[{"text","is_final","start_ms","end_ms","language"}]} · {"error_code","error_message"} · {"finished":true}
//
// A final token is sent once, others again and again until they are final. `<end>` is the end of a turn that it detected,
// `<fin>` the answer to `finalize`, which must not be sent again before it is answered.
import { z } from 'zod'
import type { HeardWord, TranscriberOptions } from '../../ports/transcriber.ts'
import {
  type SttListening,
  type SttMessage,
  type SttOptions,
  socketVendor,
} from '../over/hears/over-socket.ts'
import {
  CallerLanguages,
  isTranslation,
  languageOf,
  modelOr,
  patiently,
  translatesToo,
} from '../over/hears/wishes.ts'
import { withOwn } from '../over/own-options.ts'
import { hasAnyField, readVendorMessage } from '../over/wire/passed-over.ts'
import { account } from './account.ts'
import { hearsOptions } from './own-options.ts'

const Token = z.object({
  text: z.string(),
  is_final: z.boolean(),
  start_ms: z.number().optional(),
  end_ms: z.number().optional(),
  confidence: z.number().optional(),
  language: z.string().nullish(),
  translation_status: z.enum(['none', 'original', 'translation']).nullish(),
})
const Message = z
  .object({
    error_code: z.number().optional(),
    error_message: z.string().optional(),
    tokens: z.array(Token).optional(),
    finished: z.boolean().optional(),
  })
  .refine(hasAnyField)
type Token = z.infer<typeof Token>

const formats = { linear16: 'pcm_s16le', mulaw: 'mulaw', alaw: 'alaw' } as const
// Soniox refuses other values.
const delaysMs = [500, 3_000] as const

const Own = z.object({ max_endpoint_delay_ms: z.number() }).partial()

/** What the agent gives; else as patient as it is: Soniox's own is 2 s, where it decides. */
function longestDelayMs(options: TranscriberOptions): number {
  const { max_endpoint_delay_ms: own } = Own.parse(hearsOptions.at('session', options))
  return own ?? patiently(options.turnDetection === 'call' ? 500 : 2_000, delaysMs, options)
}

// soniox.com/docs/stt/concepts/supported-languages, as of 2026-11.
const understood = [
  'af ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr gl gu he hi hr hu id it ja kk kn ko lt',
  'lv mk ml mr ms nl no pa pl pt ro ru sk sl sq sr sv sw ta te th tl tr uk ur vi zh',
].flatMap((line) => line.split(' '))

function sessionOf(options: SttOptions): Readonly<Record<string, unknown>> {
  const language = languageOf(options, { nb: 'no', fil: 'tl' })
  const { keyterms = [] } = options
  return {
    model: modelOr('stt-rt-v5', options),
    audio_format: formats[options.encoding],
    sample_rate: options.rateHz,
    num_channels: 1,
    enable_endpoint_detection: true,
    max_endpoint_delay_ms: longestDelayMs(options),
    ...(language
      ? { language_hints: [language], language_hints_strict: true }
      : { enable_language_identification: true }),
    ...(keyterms.length > 0 && { context: { terms: keyterms } }),
    ...(isTranslation(options) && { translation: { type: 'one_way', target_language: 'en' } }),
  }
}

class Tokens implements SttListening {
  readonly bye = ''
  readonly #languages: CallerLanguages
  readonly #isTranslating: boolean
  #words = ''
  /** When each word was said; empty for a translation. */
  #times: HeardWord[] = []
  #language: string | null | undefined
  #endMs: number | undefined
  #wasPartial = false
  #isAsked = false

  constructor(options: SttOptions) {
    this.#languages = new CallerLanguages(options)
    this.#isTranslating = isTranslation(options)
  }

  finalize(): string | undefined {
    if (this.#isAsked) return undefined
    this.#isAsked = true
    return '{"type":"finalize"}'
  }

  decode(raw: unknown): readonly SttMessage[] {
    const { tokens = [], error_code: code, error_message: why = '' } = readVendorMessage(Message, raw)
    if (code !== undefined) return [{ type: 'failed', reason: `${code} ${why}`.trim() }]
    const events: SttMessage[] = []
    let tentative = ''
    for (const token of tokens) {
      if (token.text === '<fin>') this.#isAsked = false
      if (token.text === '<fin>') events.push(...this.#final())
      else if (token.text === '<end>') events.push(...this.#final(), { type: 'end-of-turn', is: 'certain' })
      else if (!this.#isWanted(token)) continue
      else if (token.is_final) this.#keep(token)
      else tentative += token.text
    }
    const text = (this.#words + tentative).trim()
    if (text !== '') events.push({ type: 'partial', text })
    this.#wasPartial = text !== ''
    return events
  }

  /** Original words come beside their translation. */
  #isWanted({ translation_status: status }: Token): boolean {
    return !this.#isTranslating || status !== 'original'
  }

  #keep({ text, language, start_ms: startMs, end_ms: endMs }: Token): void {
    this.#words += text
    this.#language = language ?? this.#language
    this.#endMs = endMs ?? this.#endMs
    if (startMs !== undefined && endMs !== undefined) this.#times.push({ text, startMs, endMs })
  }

  #final(): readonly SttMessage[] {
    const text = this.#words.trim()
    const words = this.#times
    this.#words = ''
    this.#times = []
    if (text === '' && !this.#wasPartial) return []
    this.#wasPartial = false
    return [...this.#languages.hear(this.#language, text), { type: 'final', text, endMs: this.#endMs, words }]
  }
}

export const hears = socketVendor(account, {
  languages: understood,
  options: {
    model: '`model`; stt-rt-v5 unless given',
    language: '`language_hints` with `language_hints_strict`; `auto`: `enable_language_identification`',
    samplingRateHz: '`sample_rate`',
    encoding: '`audio_format`: linear16, mulaw or alaw',
    task: '`translation` to English for `translate`',
    endpointingMs:
      '`max_endpoint_delay_ms`, between 500 and 3,000: 2,000 ms at 500; as it is where Parley decides',
    turnDetection: 'always, unless asked not to: then `finalize` ends turns',
    keyterms: '`context.terms`',
  },
  ownOptions: hearsOptions,
  detectsTurns: (options) =>
    options.turnDetection === 'call'
      ? undefined
      : { isEager: false, longestSilenceMs: longestDelayMs(options) },
  tasks: translatesToo,
  encodings: ['linear16', 'mulaw', 'alaw'],
  // Soniox closes a connection after twenty seconds without audio.
  keepAlive: { everyMs: 8_000, message: '{"type":"keepalive"}' },
  connect: (options, given) => ({
    url: account.url('wss', given, '/transcribe-websocket'),
    hello: JSON.stringify({
      api_key: given.credentials.apiKey,
      ...withOwn(sessionOf(options), hearsOptions.at('session', options)),
    }),
  }),
  listen: (options) => new Tokens(options),
})
