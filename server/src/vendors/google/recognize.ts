// The messages of google.cloud.speech.v2.Speech/StreamingRecognize.
//
//   → StreamingRecognizeRequest {3 recognizer, 6 streaming_config}, then {5 audio} · half close: the end
//   ← StreamingRecognizeResponse {6 results {1 alternatives {1 transcript, 3 words {1 start_offset, 2 end_offset, 3 word}}, 2 is_final, 4 result_end_offset, 6 language_code}}
import { z } from 'zod'
import { encodeMessage, type Field, readFields } from '../../platform/protobuf.ts'
import type { HeardWord, TranscriberOptions } from '../../ports/transcriber.ts'
import type { VendorAccount } from '../../ports/vendor.ts'
import type { SttOptions } from '../over/hears/over-socket.ts'
import type { SoundEncoding } from '../over/hears/sound.ts'
import { isTranslation, localeOf, modelOr } from '../over/hears/wishes.ts'
import { hostPart } from '../over/wire/vendor-address.ts'
import { hearsOptions, Replacements } from './own-options.ts'

/** What an agent gives of Google's own options. */
const RecognitionWish = z.object({
  features: z
    .object({
      profanity_filter: z.boolean().optional(),
      enable_spoken_punctuation: z.boolean().optional(),
      enable_spoken_emojis: z.boolean().optional(),
      custom_prompt_config: z.object({ custom_prompt: z.string() }).optional(),
    })
    .default({}),
  denoiser_config: z.object({ denoise_audio: z.boolean() }).optional(),
  transcript_normalization: z.object({ entries: Replacements }).optional(),
  adaptation: z.object({ phrase_sets: z.array(z.string()) }).optional(),
})

const ServiceAccount = z.object({ project_id: z.string() })

/** ExplicitDecodingConfig.AudioEncoding. */
const encodings: Readonly<Record<SoundEncoding, number>> = { linear16: 1, mulaw: 2, alaw: 3 }
/** StreamingRecognitionFeatures.EndpointingSensitivity. */
const sensitivities = { standard: 1, superShort: 2, short: 3 } as const

/** Chinese by what is spoken, with the script that it is written in; the older code of Hebrew. */
const ownTags = {
  'zh-CN': 'cmn-Hans-CN',
  'zh-TW': 'cmn-Hant-TW',
  'zh-HK': 'yue-Hant-HK',
  'yue-HK': 'yue-Hant-HK',
  'he-IL': 'iw-IL',
  'nb-NO': 'no-NO',
  'pa-IN': 'pa-Guru-IN',
}

// Only the models of one family tell languages apart, and only some regions have them.
const usualLocation = (options: TranscriberOptions) => (localeOf(options) ? 'global' : 'us')
const usualModel = (options: TranscriberOptions) => (localeOf(options) ? 'long' : 'chirp_3')

export const hostIn = (location: string) =>
  location === 'global' ? 'speech.googleapis.com' : `${hostPart(location)}-speech.googleapis.com`

export const locationOf = ({ credentials }: VendorAccount, options: TranscriberOptions) =>
  credentials.location || usualLocation(options)

/** The first message of a stream. */
export function recognizeRequest(options: SttOptions, account: VendorAccount): Uint8Array {
  const { rateHz, encoding, keyterms = [] } = options
  const project = projectOf(account)
  const phrases = keyterms.map((term) => encodeMessage({ 1: term }))
  const own = RecognitionWish.parse(hearsOptions.at('config', options))
  const phraseSets = [
    ...(phrases.length > 0 ? [encodeMessage({ 2: encodeMessage({ 3: phrases }) })] : []),
    ...(own.adaptation?.phrase_sets ?? []).map((name) => encodeMessage({ 1: name })),
  ]
  const config = encodeMessage({
    2: featuresOf(own.features),
    6: phraseSets.length > 0 ? encodeMessage({ 1: phraseSets }) : undefined,
    8: encodeMessage({ 1: encodings[encoding], 2: rateHz, 3: 1 }),
    9: modelOr(usualModel(options), options),
    10: localeOf(options, ownTags) ?? 'auto',
    11:
      own.transcript_normalization &&
      encodeMessage({ 1: own.transcript_normalization.entries.map(replacement) }),
    15: isTranslation(options) ? encodeMessage({ 1: 'en-US' }) : undefined,
    16: own.denoiser_config && encodeMessage({ 1: own.denoiser_config.denoise_audio }),
  })
  return encodeMessage({
    3: `projects/${project}/locations/${locationOf(account, options)}/recognizers/_`,
    // interim_results, endpointing_sensitivity
    6: encodeMessage({ 1: config, 2: encodeMessage({ 2: true, 8: sensitivityFor(options) }) }),
  })
}

/** RecognitionFeatures, with enable_word_time_offsets (2) and enable_automatic_punctuation (4). */
const featuresOf = (own: z.infer<typeof RecognitionWish>['features']): Uint8Array =>
  encodeMessage({
    1: own.profanity_filter,
    2: true,
    4: true,
    14: own.enable_spoken_punctuation,
    15: own.enable_spoken_emojis,
    18: own.custom_prompt_config && encodeMessage({ 1: own.custom_prompt_config.custom_prompt }),
  })

const replacement = ({ search, replace, case_sensitive }: z.infer<typeof Replacements>[number]): Uint8Array =>
  encodeMessage({ 1: search, 2: replace, 3: case_sensitive })

export function projectOf({ credentials: { serviceAccount = '' } }: VendorAccount): string {
  try {
    return ServiceAccount.parse(JSON.parse(serviceAccount)).project_id
  } catch {
    // The cause would repeat the secret.
    throw new Error('The service account of Google must be its JSON file, with project_id.')
  }
}

const sensitivityFor = ({ endpointingMs }: TranscriberOptions): number => {
  if (endpointingMs <= 300) return sensitivities.superShort
  return endpointingMs <= 1_000 ? sensitivities.short : sensitivities.standard
}

export interface RecognizedResult {
  readonly text: string
  readonly isFinal: boolean
  /** Where its words end in the audio of this stream. */
  readonly endMs: number
  /** As far as they were asked for and are told. */
  readonly words: readonly HeardWord[]
  readonly language: string
}

export const resultsOf = (response: Uint8Array): readonly RecognizedResult[] =>
  fieldsOf(response, 6).map(read)

function read(result: Buffer): RecognizedResult {
  const [alternative] = fieldsOf(result, 1)
  return {
    text: alternative ? textOf(alternative, 1).trim() : '',
    isFinal: numberOf(result, 2) === 1,
    endMs: offsetOf(result, 4),
    words: (alternative ? fieldsOf(alternative, 3) : []).map((word) => ({
      text: textOf(word, 3),
      startMs: offsetOf(word, 1),
      endMs: offsetOf(word, 2),
    })),
    language: textOf(result, 6),
  }
}

/** A Duration in milliseconds. */
function offsetOf(message: Uint8Array, number: number): number {
  const [duration] = fieldsOf(message, number)
  if (!duration) return 0
  return (numberOf(duration, 1) ?? 0) * 1_000 + (numberOf(duration, 2) ?? 0) / 1_000_000
}

const fieldsOf = (message: Uint8Array, number: number): readonly Buffer[] =>
  readFields(message).flatMap((field) => (field.number === number ? [bytesOf(field)] : []))

const bytesOf = ({ value }: Field): Buffer => {
  if (typeof value === 'bigint') throw new RangeError('a number instead of a message')
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

const textOf = (message: Uint8Array, number: number): string => fieldsOf(message, number)[0]?.toString() ?? ''

const numberOf = (message: Uint8Array, number: number): number | undefined => {
  const value = readFields(message).find((field) => field.number === number)?.value
  return typeof value === 'bigint' ? Number(value) : undefined
}
