// Gemini, with a key of the Gemini API. POST /v1beta/models/{model}:streamGenerateContent with audio as its only modality: a
// request for each clause, answered as server-sent events. Always 24 kHz. An interruption aborts the request.
//
//   ← data: {"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"audio/L16;…","data":"base64"}}]}}]}
import { z } from 'zod'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { TtsVendor } from '../../ports/vendor.ts'
import { withOwn } from '../over/own-options.ts'
import { googleLanguage, usualTtsOptions, voiceOf, within } from '../over/speaks/options.ts'
import { speakOverHttp } from '../over/speaks/over-http.ts'
import { hasAnyField, type PassedOver, readVendorMessage, UnknownMessage } from '../over/wire/passed-over.ts'
import { account } from './account.ts'
import { isOlder, speaksOptions } from './own-options.ts'

// Google recommends it for what voice agents say.
const usualModel = 'gemini-3.8-flash-lite-tts'
const usualVoice = 'Kore'

// cloud.google.com/text-to-speech/docs/gemini-tts, generally available and in preview, as of 2026-11.
const spoken = [
  'af am ar az be bg bn ca ceb cs da de el en es et eu fa fi fil fr gl gu he hi hr ht hu hy id is it',
  'ja jv ka kn ko kok la lb lo lt lv mai mg mk ml mn mr ms my ne nl nn no or pa pl ps pt ro ru sd si',
  'sk sl sq sr sv sw ta te th tr uk ur vi zh',
].flatMap((line) => line.split(' '))

// What `speechConfig.languageCode` may be, by the reference of the API. Other languages are found out from the text.
const named = [
  'ar-XA bn-IN cmn-CN de-DE en-AU en-GB en-IN en-US es-ES es-US fr-CA fr-FR gu-IN hi-IN id-ID it-IT',
  'ja-JP kn-IN ko-KR ml-IN mr-IN nl-NL pl-PL pt-BR ru-RU ta-IN te-IN th-TH tr-TR vi-VN',
].flatMap((line) => line.split(' '))

const languageOf = (language: string | undefined): string | undefined =>
  named.find((code) => code === googleLanguage(language))

const Event = z
  .object({
    candidates: z
      .array(
        z.object({
          content: z
            .object({
              parts: z.array(z.object({ inlineData: z.object({ data: z.string() }).optional() })).optional(),
            })
            .optional(),
        }),
      )
      .optional(),
    usageMetadata: z.unknown().optional(),
    modelVersion: z.string().optional(),
    promptFeedback: z.unknown().optional(),
  })
  .refine(hasAnyField)

export const speaks: TtsVendor = {
  ...account.shared,
  abilities: {
    streaming: false,
    // A language model speaks, which begins later than a voice that reads.
    patienceMs: 4_000,
    clauseEnds: true,
    wordTimes: false,
    languages: spoken,
  },
  options: {
    ...usualTtsOptions,
    voice: '`voiceConfig.voice`; of models before 3.8, `prebuiltVoiceConfig.voiceName`',
    voiceId: 'the same, instead of its name',
    model: 'the model in the address; gemini-3.8-flash-lite-tts unless given',
    language: '`speechConfig.languageCode`',
    temperature: '`generationConfig.temperature`, from 0 to 2',
    speed: null,
    stream: 'always streamed, a request for each clause',
  },
  ownOptions: speaksOptions,
  open: speakOverHttp({
    label: account.label,
    languages: spoken,
    rateHz: 24_000,
    warm: (given) => account.request(given, '/v1beta/models', { pageSize: 1 }),
    ask: (clause, options, given) => ({
      ...account.jsonRequest(given, pathOf(options), { alt: 'sse' }),
      body: JSON.stringify(withOwn(requestOf(clause, options), speaksOptions.at('request', options))),
    }),
    readSound,
  }),
}

const modelOf = ({ model }: SynthesizerOptions): string => model?.replace(/^models\//, '') || usualModel

const pathOf = (options: SynthesizerOptions): string =>
  `/v1beta/models/${encodeURIComponent(modelOf(options))}:streamGenerateContent`

function voiceConfigOf(options: SynthesizerOptions): object {
  const voice = voiceOf(options, usualVoice)
  return isOlder(options.model) ? { prebuiltVoiceConfig: { voiceName: voice } } : { voice }
}

const requestOf = (clause: string, options: SynthesizerOptions): object => ({
  contents: [{ role: 'user', parts: [withOwn({ text: clause }, speaksOptions.at('part', options))] }],
  generationConfig: {
    responseModalities: ['AUDIO'],
    temperature: within(0, 2, options.temperature),
    speechConfig: {
      languageCode: languageOf(options.language),
      voiceConfig: voiceConfigOf(options),
    },
  },
})

async function* readSound(
  body: AsyncIterable<Uint8Array>,
  passedOver: PassedOver,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) yield* soundIn(line, passedOver)
  }
  yield* soundIn(rest, passedOver)
}

function soundIn(line: string, passedOver: PassedOver): readonly Uint8Array[] {
  if (!line.startsWith('data:')) return []
  try {
    const { candidates = [] } = readVendorMessage(Event, JSON.parse(line.slice('data:'.length)))
    return candidates
      .flatMap(({ content }) => content?.parts ?? [])
      .flatMap(({ inlineData }) => (inlineData ? [Buffer.from(inlineData.data, 'base64')] : []))
  } catch (error) {
    if (!(error instanceof UnknownMessage)) throw error
    passedOver.unknown(error.messageType)
    return []
  }
}
