// ElevenLabs. wss /v1/text-to-speech/{voice}/multi-stream-input, `xi-api-key`: a context for each saying.
//
//   → {"text":" ","voice_settings":{…},"context_id":"…"} · {"text":"…","context_id":"…"} · {"context_id":"…","flush":true}
//   → {"context_id":"…","close_context":true} · {"text":""}
//   ← {"audio":"base64","alignment":{"chars":[…],"charStartTimesMs":[…],"charDurationsMs":[…]},"contextId":"…"}
//   ← {"isFinal":true,"contextId":"…"} · {"error":"…","message":"…"}
//
// The first message of a context has the voice settings; a keep-alive before it would discard them. `close_context` ends a
// saying and cancels one; a connection has at most five contexts, those that are being closed included. Times of
// characters begin with the audio of their message. Models of the third generation: dialogue.ts.
import { z } from 'zod'
import type { SpokenWord, SynthesizerOptions } from '../../ports/synthesizer.ts'
import { withOwn } from '../over/own-options.ts'
import type { TtsMessage, TtsSaying } from '../over/speaks/dialect.ts'
import { voiceOf, within } from '../over/speaks/options.ts'
import { socketVoices } from '../over/speaks/over-socket.ts'
import { markPronunciations } from '../over/speaks/pronunciations.ts'
import { hasAnyField, readVendorMessage } from '../over/wire/passed-over.ts'
import type { Query } from '../over/wire/vendor-address.ts'
import { writtenLanguage } from '../over/written-language.ts'
import { account } from './account.ts'
import {
  beginDialogue,
  dialogueHello,
  dialogueKeepAlive,
  dialoguePath,
  dialogueQuery,
  inUsualNames,
} from './dialogue.ts'
import { isDialogue, speaksOptions } from './own-options.ts'

// "Sarah", in every account.
const usualVoice = 'EXAVITQu4vr4xnSDxMaL'
const usualModel = 'eleven_flash_v2_5'
// The longest that it allows; a ringing telephone is silent for a minute.
const inactivitySeconds = 180

const Alignment = z.object({
  chars: z.array(z.string()),
  charStartTimesMs: z.array(z.number()),
  charDurationsMs: z.array(z.number()).optional(),
})

const Message = z
  .object({
    audio: z.string().nullish(),
    alignment: Alignment.nullish().catch(undefined),
    isFinal: z.boolean().nullish(),
    contextId: z.string().nullish(),
    error: z.string().nullish(),
    message: z.string().nullish(),
  })
  .refine(hasAnyField)

// help.elevenlabs.io, of all models: eleven_v3 speaks most, as of 2026-11.
const spoken = [
  'af ar as az be bg bn bs ca ceb cs cy da de el en es et fa fi fil fr ga gl gu ha he hi hr hu hy id',
  'is it ja jv ka kk kn ko ky lb ln lt lv mk ml mr ms ne nl no ny pa pl ps pt ro ru sd sk sl so sr sv',
  'sw ta te th tr uk ur vi zh',
].flatMap((line) => line.split(' '))

export const speaks = socketVoices(account, {
  abilities: { streaming: true, clauseEnds: false, wordTimes: true, languages: spoken },
  options: {
    voice: 'the voice in the address, where no `voice_id` is given',
    voiceId: 'the voice in the address',
    model: '`model_id`',
    language: '`language_code`, of models that are multilingual',
    temperature: '`voice_settings.stability`, from 0 to 1: steadier the higher it is',
    similarityBoost: '`voice_settings.similarity_boost`, from 0 to 1; not of eleven_v3 models',
    speed: '`voice_settings.speed`, from 0.7 to 1.2; not of eleven_v3 models',
    bufferSize: 'how much text it gets at a time, above 40 characters, and `chunk_length_schedule`',
    pronunciations: 'SSML phonemes (`enable_ssml_parsing`), of models that take them',
  },
  ownOptions: speaksOptions,
  lacks: ({ model }) =>
    isDialogue(model) ? ['similarityBoost', 'speed', 'bufferSize', 'pronunciations'] : [],
  connect: (options, given) =>
    isDialogue(options.model)
      ? {
          ...account.socket(given, dialoguePath, dialogueQuery(options)),
          hello: dialogueHello(options, usualVoice),
        }
      : account.socket(given, pathOf(options), queryOf(options)),
  // 48 kHz is for the larger plans only.
  rateHz: (lineHz) => (lineHz === 48_000 ? 24_000 : lineHz),
  keepAlive: ({ model }) =>
    // Without a context: it may not exist yet.
    isDialogue(model) ? dialogueKeepAlive : { everyMs: 20_000, message: '{"text":""}' },
  sharing: 'by-context',
  // Of a dialogue a fifth one keeps the connection.
  mostContexts: 4,
  parse: (text) => inUsualNames(JSON.parse(text)),
  contextOf: (message) => readVendorMessage(Message, message).contextId ?? undefined,
  begin(contextId, options) {
    const times = new WordTimes(options.rateHz)
    const saying = isDialogue(options.model)
      ? beginDialogue(contextId, options, usualVoice)
      : beginSpeech(contextId, options)
    return { ...saying, decode: (raw) => decode(raw, times) }
  },
})

const pathOf = (options: SynthesizerOptions): string =>
  `/v1/text-to-speech/${encodeURIComponent(voiceOf(options, usualVoice))}/multi-stream-input`

function queryOf(options: SynthesizerOptions): Query {
  const { model = usualModel, language, rateHz, pronunciations = [] } = options
  return {
    model_id: model,
    output_format: `pcm_${rateHz}`,
    // Older models find out by themselves and refuse to be told.
    language_code: /(_v2_5|_v3)$/.test(model)
      ? writtenLanguage(language, { region: 'never', own: { nb: 'no' } })
      : undefined,
    auto_mode: true,
    inactivity_timeout: inactivitySeconds,
    sync_alignment: true,
    enable_ssml_parsing: pronunciations.some(({ ipa }) => ipa !== undefined) || undefined,
    ...speaksOptions.query('query', options),
    ...speaksOptions.query('speech', options),
  }
}

function beginSpeech(contextId: string, options: SynthesizerOptions): Omit<TtsSaying, 'decode'> {
  const { temperature, similarityBoost, speed, bufferSize, pronunciations } = options
  const settings = {
    stability: within(0, 1, temperature),
    similarity_boost: within(0, 1, similarityBoost),
    speed: within(0.7, 1.2, speed),
  }
  const hasSettings = Object.values(settings).some((value) => value !== undefined)
  const close = JSON.stringify({ context_id: contextId, close_context: true })
  return {
    hello: JSON.stringify(
      withOwn(
        {
          text: ' ',
          context_id: contextId,
          ...(hasSettings && { voice_settings: settings }),
          // Smaller values are refused.
          ...(bufferSize !== undefined &&
            bufferSize >= 50 && { generation_config: { chunk_length_schedule: [bufferSize] } }),
        },
        withOwn(speaksOptions.at('hello', options), speaksOptions.at('settings', options)),
      ),
    ),
    write: (clause) =>
      JSON.stringify({
        text: `${markPronunciations(clause, pronunciations, asPhoneme)} `,
        context_id: contextId,
      }),
    flush: () => JSON.stringify({ context_id: contextId, flush: true }),
    finish: () => close,
    cancel: () => close,
  }
}

function decode(raw: unknown, times: WordTimes): readonly TtsMessage[] {
  const { audio, alignment, isFinal, error, message } = readVendorMessage(Message, raw)
  if (error) return [{ type: 'failed', reason: message ?? error }]
  const pcm = audio ? Buffer.from(audio, 'base64') : undefined
  const words = pcm && alignment ? times.read(alignment) : []
  if (pcm) times.pass(pcm.length)
  const last = isFinal ? times.end() : []
  return [
    ...(pcm ? [{ type: 'sound', pcm } as const] : []),
    ...(words.length + last.length > 0 ? [{ type: 'words', words: [...words, ...last] } as const] : []),
    ...(isFinal ? [{ type: 'end' } as const] : []),
  ]
}

/** Characters become words; a word may begin in one message and end in the next. */
class WordTimes {
  readonly #bytesPerMs: number
  #passedMs = 0
  #word: { text: string; startMs: number; endMs: number } | undefined

  constructor(rateHz: number) {
    this.#bytesPerMs = (rateHz * 2) / 1_000
  }

  pass(bytes: number): void {
    this.#passedMs += bytes / this.#bytesPerMs
  }

  read({ chars, charStartTimesMs: starts, charDurationsMs: durations = [] }: z.infer<typeof Alignment>) {
    const words: SpokenWord[] = []
    for (const [i, char] of chars.entries()) {
      const startMs = this.#passedMs + (starts[i] ?? 0)
      const endMs = startMs + (durations[i] ?? 0)
      if (/\s/.test(char)) words.push(...this.end())
      else if (this.#word) this.#word = { ...this.#word, text: this.#word.text + char, endMs }
      else this.#word = { text: char, startMs, endMs }
    }
    return words
  }

  end(): readonly SpokenWord[] {
    const word = this.#word
    this.#word = undefined
    return word ? [word] : []
  }
}

const asPhoneme = ({ ipa }: { readonly ipa?: string | undefined }, word: string) =>
  ipa === undefined ? undefined : `<phoneme alphabet="ipa" ph="${ipa.replaceAll('"', '')}">${word}</phoneme>`
