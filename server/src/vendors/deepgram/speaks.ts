// Deepgram Aura. wss /v1/speak, `Authorization: Token`. Its Flux voices: flux-voices.ts.
//
//   → {"type":"Speak","text":"…"} · {"type":"Flush"} · {"type":"Clear"} · {"type":"Close"}
//   ← binary PCM · {"type":"Metadata"} · {"type":"Flushed"} · {"type":"Cleared"} · {"type":"Warning"} · {"type":"Error"}
//
// Audio has no context id: after `Clear` everything until `Cleared` belongs to the old saying. A connection may be flushed
// 20 times a minute, so a saying is flushed after its first clause and at its end.
import { z } from 'zod'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { TtsMessage } from '../over/speaks/dialect.ts'
import { voiceOf, within } from '../over/speaks/options.ts'
import { socketVoices } from '../over/speaks/over-socket.ts'
import { markPronunciations } from '../over/speaks/pronunciations.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { writtenLanguage } from '../over/written-language.ts'
import { account } from './account.ts'
import { beginTurn, fluxSpeed, isFluxVoice } from './flux-voices.ts'
import { speaksOptions } from './own-options.ts'

const Message = z.object({
  type: z.enum(['Metadata', 'Flushed', 'Cleared', 'Warning', 'Error']),
  description: z.string().optional(),
  err_msg: z.string().optional(),
})

// developers.deepgram.com/docs/tts-models, as of 2026-11.
const usualVoices: Readonly<Record<string, string>> = {
  de: 'viktoria',
  en: 'thalia',
  es: 'celeste',
  fr: 'agathe',
  it: 'livia',
  ja: 'izanami',
  nl: 'rhea',
}
const spoken = Object.keys(usualVoices)
const usualFluxVoice = 'flux-haley-en'

export const speaks = socketVoices(account, {
  abilities: { streaming: true, clauseEnds: false, wordTimes: false, languages: spoken },
  options: {
    voice: 'part of `model`: `aura-2-{voice}-{language}` or `flux-{voice}-{language}`, or the whole of it',
    voiceId: 'instead of the voice',
    model: 'the family in `model`, as in `aura-2` or `flux`, or the whole of it',
    language: 'the end of `model`, and the voice, where none is named',
    speed: '`speed`, from 0.7 to 1.5; of Flux from 0.5',
    pronunciations: 'IPA within the text; not of Flux',
  },
  ownOptions: speaksOptions,
  lacks: ({ voice = '', ...asked }) => (isFluxVoice(modelOf({ voice, ...asked })) ? ['pronunciations'] : []),
  connect(options, given) {
    const model = modelOf(options)
    const isFlux = isFluxVoice(model)
    return account.socket(given, isFlux ? '/v2/speak' : '/v1/speak', {
      model,
      encoding: 'linear16',
      sample_rate: options.rateHz,
      speed: isFlux ? fluxSpeed(options.speed) : within(0.7, 1.5, options.speed),
      ...speaksOptions.query('query', options),
      ...(isFlux && speaksOptions.query('flux', options)),
    })
  },
  sharing: 'when-cleared',
  begin(_, options) {
    if (isFluxVoice(modelOf(options))) return beginTurn()
    const { pronunciations } = options
    let isFlushed = false
    return {
      write: (clause) =>
        JSON.stringify({
          type: 'Speak',
          // Clauses are joined as they are.
          text: `${markPronunciations(clause, pronunciations, inIpa)} `,
        }),
      flush(isLast) {
        if (isFlushed && !isLast) return undefined
        isFlushed = true
        return '{"type":"Flush"}'
      },
      cancel: () => '{"type":"Clear"}',
      decode: (message) => decode(message),
    }
  },
})

function decode(raw: unknown): readonly TtsMessage[] {
  if (raw instanceof Uint8Array) return [{ type: 'sound', pcm: raw }]
  const { type, description, err_msg } = readVendorMessage(Message, raw)
  if (type === 'Flushed') return [{ type: 'flushed' }]
  if (type === 'Cleared') return [{ type: 'cleared' }]
  if (type === 'Error') return [{ type: 'failed', reason: description ?? err_msg ?? 'no reason was given' }]
  return []
}

type NamedVoice = Pick<SynthesizerOptions, 'model' | 'language' | 'voice' | 'voiceId'>

/** "thalia" → "aura-2-thalia-en". A voice has one language, and only the second generation of Aura has others than English. */
function modelOf({ model = 'aura-2', language, ...options }: NamedVoice): string {
  const name = voiceOf(options, '').toLowerCase()
  if (/^(aura|flux-)/.test(name)) return name
  const code = writtenLanguage(language, { region: 'never' }) ?? 'en'
  const family = /^(flux|aura(?:-2)?(?=-|$))/.exec(model)?.[0] ?? 'aura-2'
  if (name !== '') return `${family}-${name}-${code}`
  if (/^(aura(-2)?|flux)-.+-/.test(model)) return model
  if (family === 'flux' && code === 'en') return usualFluxVoice
  const usual = usualVoices[code]
  return usual ? `aura-2-${usual}-${code}` : 'aura-2-thalia-en'
}

const inIpa = ({ ipa }: { readonly ipa?: string | undefined }, word: string) =>
  ipa === undefined ? undefined : `\\{"word": ${JSON.stringify(word)}, "pronounce": ${JSON.stringify(ipa)}\\}`
