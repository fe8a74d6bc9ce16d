// Google Cloud, with a service account. Chirp 3 HD and Gemini voices stream over gRPC (StreamingSynthesize), a call for each
// clause over one connection: a stream that waits for text is broken off after five seconds. Other voices are refused there
// and speak over HTTP (text:synthesize), which does not stream. An interruption cancels the call.
import { z } from 'zod'
import type { Frame } from '../../media/frame.ts'
import { parseWav } from '../../media/wav-parse.ts'
import { encodeMessage, type FieldRows, readFields } from '../../platform/protobuf.ts'
import { overClauses } from '../../ports/clause-stream.ts'
import type {
  Pronunciation,
  Synthesizer,
  SynthesizerOptions,
  TextSynthesizer,
} from '../../ports/synthesizer.ts'
import type { TtsVendor, VendorAccount } from '../../ports/vendor.ts'
import { googleLanguage, usualTtsOptions, voiceOf, within } from '../over/speaks/options.ts'
import { speakOverHttp } from '../over/speaks/over-http.ts'
import { PcmFrames } from '../over/speaks/pcm.ts'
import { markPronunciations } from '../over/speaks/pronunciations.ts'
import { ssmlOf } from '../over/speaks/ssml.ts'
import { EventQueue } from '../over/wire/event-queue.ts'
import { GrpcConnection, GrpcFailure } from '../over/wire/grpc-stream.ts'
import { account } from './account.ts'
import { isStreamed, speaksOptions } from './own-options.ts'

const streamingPath = '/google.cloud.texttospeech.v1.TextToSpeech/StreamingSynthesize'
const usualVoice = 'Charon'
/** The numbers of the interface. */
const encodings = { pcm: 7 } as const
const phonemes = { ipa: 1 } as const

// cloud.google.com/text-to-speech/docs/voices, as of 2026-11.
const spoken = [
  'af am ar bg bn ca cs da de el en es et eu fi fil fr gl gu he hi hr hu id is it ja kn ko lt lv ml',
  'mr ms nl no pa pl pt ro ru sk sl sr sv sw ta te th tr uk ur vi yue zh',
].flatMap((line) => line.split(' '))

const abilities = {
  streaming: true,
  // Voices other than Chirp 3 HD are asked clause by clause.
  patienceMs: 3_000,
  clauseEnds: true,
  wordTimes: false,
  languages: spoken,
} as const

export const speaks: TtsVendor = {
  ...account.shared,
  abilities,
  options: {
    ...usualTtsOptions,
    voice: '`voice.name`; one word is a Chirp 3 HD voice',
    voiceId: '`voice.name`, instead of its name',
    model: '`voice.model_name`, of Gemini voices',
    language: '`voice.language_code`, where the voice does not say it',
    speed: '`speaking_rate`, from 0.25 to 2',
    stream: 'always streamed, where the voice can be',
    pronunciations: '`custom_pronunciations`, or SSML `phoneme` and `sub`',
  },
  ownOptions: speaksOptions,
  open(given): Synthesizer {
    const connection = new GrpcConnection({
      name: account.label,
      origin: new URL(account.url('https', given, '/')).origin,
      lookup: given.lookup,
    })
    const inPieces = overClauses(streamedEngine(connection, given), 'any')
    const whole = overWholeAnswers(given)
    return {
      abilities,
      open: (options, signal) => (isStreamed(options) ? inPieces : whole).open(options, signal),
      warm: (options, signal) =>
        isStreamed(options) ? connection.ready() : (whole.warm?.(options, signal) ?? Promise.resolve()),
      close: () => connection.close(),
    }
  },
}

/** "Charon" → "en-US-Chirp3-HD-Charon". A voice of a Gemini model is one word. */
function nameOf(options: SynthesizerOptions): string {
  const voice = voiceOf(options, usualVoice)
  if (options.model || voice.includes('-')) return voice
  return `${languageOf(options)}-Chirp3-HD-${voice}`
}

/** The name of a voice begins with its language. */
function languageOf(options: SynthesizerOptions): string {
  const [own] = /^[a-z]{2,3}-[A-Z]{2}(?=-)/.exec(voiceOf(options, usualVoice)) ?? []
  return own ?? googleLanguage(options.language) ?? 'en-US'
}

/** A call that Google refused unread, because it was closing an idle connection, is made again. */
const streamedEngine = (connection: GrpcConnection, given: VendorAccount): TextSynthesizer => ({
  async *synthesize(clause, options, signal) {
    try {
      yield* streamed(connection, given, { clause, options, signal })
    } catch (error) {
      if (signal.aborted || !(error instanceof GrpcFailure && error.isRefused)) throw error
      yield* streamed(connection, given, { clause, options, signal })
    }
  },
})

interface ClauseRequest {
  readonly clause: string
  readonly options: SynthesizerOptions
  readonly signal: AbortSignal
}

async function* streamed(
  connection: GrpcConnection,
  given: VendorAccount,
  { clause, options, signal }: ClauseRequest,
): AsyncGenerator<Frame> {
  if (signal.aborted) return
  const chunks = new EventQueue<Uint8Array>()
  const call = connection.call({
    path: streamingPath,
    headers: account.headersOf(given),
    onMessage: (message) => chunks.push(soundIn(message)),
    onEnd: (error) => (error ? chunks.fail(error) : chunks.end()),
  })
  const cancel = () => {
    call.cancel()
    chunks.clear()
  }
  signal.addEventListener('abort', cancel, { once: true })
  call.send(encodeMessage({ 1: encodeMessage(configOf(options)) }))
  const { prompt } = StreamedWish.parse(speaksOptions.at('streamed', options))
  call.send(encodeMessage({ 2: encodeMessage({ 1: spelledOut(clause, options), 6: prompt }) }))
  call.end()
  try {
    const frames = new PcmFrames(24_000, options.rateHz)
    for await (const chunk of chunks) yield* frames.push(chunk)
    if (!signal.aborted) yield* frames.flush()
  } finally {
    signal.removeEventListener('abort', cancel)
    call.cancel()
  }
}

const StreamedWish = z.object({ prompt: z.string().optional() })

/** Phonemes are sent apart from the text; other pronunciations are written into it. */
const spelledOut = (clause: string, { pronunciations }: SynthesizerOptions): string =>
  markPronunciations(clause, pronunciations, ({ ipa, spokenAs }) =>
    ipa === undefined ? spokenAs : undefined,
  )

/** StreamingSynthesizeConfig. */
function configOf(options: SynthesizerOptions): FieldRows {
  const speed = within(0.25, 2, options.speed)
  const ipa = (options.pronunciations ?? []).filter((one) => one.ipa !== undefined)
  return {
    1: encodeMessage({ 1: languageOf(options), 2: nameOf(options), 6: options.model || undefined }),
    4: encodeMessage({
      1: encodings.pcm,
      2: 24_000,
      3: speed === undefined ? undefined : { double: speed },
    }),
    5: ipa.length === 0 ? undefined : encodeMessage({ 1: ipa.map(pronunciationOf) }),
  }
}

const pronunciationOf = ({ written, ipa }: Pronunciation): Uint8Array =>
  encodeMessage({ 1: written, 2: phonemes.ipa, 3: ipa })

/** StreamingSynthesizeResponse. */
function soundIn(message: Buffer): Uint8Array {
  const sound = readFields(message).find(({ number }) => number === 1)?.value
  return typeof sound === 'object' ? sound : Buffer.alloc(0)
}

const overWholeAnswers = speakOverHttp({
  label: account.label,
  languages: spoken,
  warm: (given) => account.request(given, '/v1/voices', { languageCode: 'en-US' }),
  ask: (clause, options, given) => ({
    ...account.jsonRequest(given, '/v1/text:synthesize'),
    body: JSON.stringify({
      input: { ssml: `<speak>${ssmlOf(clause, options.pronunciations)}</speak>` },
      voice: { languageCode: languageOf(options), name: nameOf(options) },
      audioConfig: {
        audioEncoding: 'LINEAR16',
        sampleRateHertz: options.rateHz,
        speakingRate: within(0.25, 2, options.speed),
        ...speaksOptions.at('whole', options),
      },
    }),
  }),
  readSound,
})

const Answer = z.object({ audioContent: z.string() })

/** An answer is JSON with a whole WAV file in it. */
async function* readSound(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const { audioContent } = Answer.parse(JSON.parse(Buffer.concat(chunks).toString()))
  const [samples = new Int16Array()] = parseWav(Buffer.from(audioContent, 'base64')).channels
  yield new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
}
