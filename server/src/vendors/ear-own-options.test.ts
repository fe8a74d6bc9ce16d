// The options of the companies' own recognition as their servers are sent them: every one that is listed. Where the company's
// own library is installed, it is given the same ones, and what it sends is compared.
import { DeepgramClient } from '@deepgram/sdk'
import { GladiaClient } from '@gladiaio/sdk'
import { protos } from '@google-cloud/speech'
import { SonioxNodeClient } from '@soniox/node'
import { AssemblyAI } from 'assemblyai'
import * as azureSpeech from 'microsoft-cognitiveservices-speech-sdk'
import { SarvamAIClient } from 'sarvamai'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { openAssemblyStt } from '../../test/props/vendors/assembly-stt.ts'
import { openAzureStt } from '../../test/props/vendors/azure-stt.ts'
import { behindTls } from '../../test/props/vendors/behind-tls.ts'
import { cleanupsHere } from '../../test/props/vendors/cleanups-here.ts'
import { openDeepgramFlux, openDeepgramStt } from '../../test/props/vendors/deepgram-stt.ts'
import { openElevenlabsStt } from '../../test/props/vendors/elevenlabs-stt.ts'
import { openGladiaStt } from '../../test/props/vendors/gladia-stt.ts'
import { openOpenaiStt } from '../../test/props/vendors/openai-stt.ts'
import { openSarvamStt } from '../../test/props/vendors/sarvam-stt.ts'
import { openSmallestStt } from '../../test/props/vendors/smallest-stt.ts'
import { openSonioxStt } from '../../test/props/vendors/soniox-stt.ts'
import type { HearingServer } from '../../test/props/vendors/stt-server.ts'
import type { SttServer } from '../../test/props/vendors/stt-suite.ts'
import { openWhisperStt } from '../../test/props/vendors/whisper-stt.ts'
import { makeFrame } from '../media/frame.ts'
import type { OwnValues } from '../ports/own-options.ts'
import type { TranscriberOptions } from '../ports/transcriber.ts'
import type { SttVendor } from '../ports/vendor.ts'
import { readOwnOptions } from '../speech/own-options.ts'
import { recognizeRequest } from './google/recognize.ts'
import { sttVendors } from './index.ts'

const apiKey = 'secret-of-the-vendor'
const cleanups = cleanupsHere()
afterEach(() => vi.unstubAllGlobals())

const tried = new Map<SttVendor, Set<string>>()

function read(vendor: SttVendor, config: Readonly<Record<string, unknown>>, model = ''): OwnValues {
  const { own = {}, problems } = readOwnOptions('transcriber', vendor, config, { model })
  expect(problems).toEqual([])
  tried.set(vendor, new Set([...(tried.get(vendor) ?? []), ...Object.keys(own)]))
  return own
}

async function opened<Server extends { close(): Promise<void> }>(opening: Promise<Server>): Promise<Server> {
  const server = await opening
  cleanups.push(() => server.close())
  return server
}

/** A server that is spoken to for an agent with these options. */
async function heardBy<Server extends SttServer>(
  vendor: SttVendor,
  opening: Promise<Server>,
  config: Readonly<Record<string, unknown>>,
  wish: Partial<TranscriberOptions> = {},
): Promise<Server> {
  const server = await opened(opening)
  const own = read(vendor, config, wish.model)
  const stop = new AbortController()
  cleanups.push(() => stop.abort())
  const options = {
    model: '',
    rateHz: 8_000,
    samplingRateHz: 16_000,
    endpointingMs: 700,
    ...wish,
    own,
  } as const
  const stream = vendor
    .open({ credentials: { apiKey }, baseUrl: server.baseUrl })
    .open({ language: 'en', ...options }, stop.signal)
  void (async () => {
    for await (const _ of stream);
  })().catch(() => {})
  stream.hear?.({ type: 'speech-start', atMs: 0 })
  for (let n = 0; n < 10; n++) stream.write(makeFrame(8_000))
  stream.finalize?.()
  await expect.poll(() => server.asked.length).toBeGreaterThan(0)
  return server
}

const settingsOf = async ({ settings }: HearingServer) => {
  await expect.poll(() => settings.length).toBeGreaterThan(0)
  return settings[0] as Readonly<Record<string, unknown>>
}

const queryOf = ({ asked }: Pick<SttServer, 'asked'>) =>
  asked.find(({ url }) => url.search !== '')?.url.searchParams ?? new URLSearchParams()

/** Parameters in order; a list is several of one name. */
const parameters = (names: readonly string[], query: URLSearchParams) =>
  [...query].filter(([name]) => names.includes(name)).toSorted()

const asParameters = (values: object) =>
  Object.entries(values)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, `${one}`]))
    .toSorted()

const nova = {
  mip_opt_out: true,
  tag: ['front-desk', 'emea'],
  numerals: true,
  profanity_filter: true,
  redact: ['pci', 'ssn'],
  smart_format: true,
  punctuate: false,
  dictation: true,
  filler_words: true,
  measurements: true,
  detect_entities: true,
  diarize: true,
  diarize_model: 'v2',
  replace: ['maple:Maple Dental'],
  search: ['refund'],
  extra: ['branch:north'],
  utterance_end_ms: 1_200,
  vad_events: true,
  no_delay: true,
  version: '2026-03-01',
}

describe('Deepgram', () => {
  const theirs = async (server: SttServer, version: 'v1' | 'v2', options: object) => {
    const client = new DeepgramClient({ apiKey, baseUrl: server.baseUrl.replace('http', 'ws') })
    const socket = await client.listen[version].connect(options as never)
    cleanups.push(() => socket.close())
    socket.connect()
    await socket.waitForOpen()
  }

  it('gets those of Nova, as its library sends them', async () => {
    const server = await heardBy(sttVendors.deepgram, openDeepgramStt(apiKey), nova)
    expect(parameters(Object.keys(nova), queryOf(server))).toEqual(asParameters(nova))
    const { filler_words: _, measurements: __, no_delay: ___, ...inLibrary } = nova
    const other = await opened(openDeepgramStt(apiKey))
    await theirs(other, 'v1', { model: 'nova-3', ...inLibrary })
    expect(parameters(Object.keys(inLibrary), queryOf(other))).toEqual(asParameters(inLibrary))
  })

  it('gets those of Flux, as its library sends them', async () => {
    const flux = {
      mip_opt_out: true,
      tag: ['night'],
      numerals: true,
      eot_threshold: 0.82,
      eager_eot_threshold: 0.35,
    }
    const model = 'flux-general-en'
    const server = await heardBy(sttVendors.deepgram, openDeepgramFlux(apiKey), flux, { model })
    const other = await opened(openDeepgramFlux(apiKey))
    await theirs(other, 'v2', { model, ...flux })
    for (const one of [server, other])
      expect(parameters(Object.keys(flux), queryOf(one))).toEqual(asParameters(flux))
  })
})

describe('Deepgram Flux', () => {
  const model = 'flux-general-en'
  const thresholds = async (config: object, wish: Partial<TranscriberOptions> = {}) => {
    const server = await heardBy(
      sttVendors.deepgram,
      openDeepgramFlux(apiKey),
      { ...config },
      { model, ...wish },
    )
    const { eot_threshold: sure, eager_eot_threshold: ready } = await settingsOf(server)
    return [sure, ready]
  }

  it('ends turns as sure as the agent says, however patient it is', async () => {
    expect(await thresholds({ eot_threshold: 0.625 }, { endpointingMs: 4_000 })).toEqual(['0.625', '0.43'])
    expect(await thresholds({ eot_threshold: 0.55, eager_eot_threshold: 0.31 })).toEqual(['0.55', '0.31'])
  })

  it('is never to be surer for a guess than for the end', async () => {
    expect(await thresholds({ eager_eot_threshold: 0.81 }, { endpointingMs: 500 })).toEqual(['0.81', '0.81'])
    expect(await thresholds({ eot_threshold: 0.5, eager_eot_threshold: 0.9 })).toEqual(['0.5', '0.5'])
  })

  it('ends none where Parley decides, whatever the agent says', async () => {
    const asked = { eot_threshold: 0.6, eager_eot_threshold: 0.4 }
    expect(await thresholds(asked, { turnDetection: 'call' })).toEqual(['1', undefined])
  })
})

describe('a turn detection', () => {
  const longestSilence = (vendor: SttVendor, config: object, model = '') =>
    vendor.open({ credentials: { apiKey } }).detectsTurns?.({
      model,
      rateHz: 8_000,
      samplingRateHz: 16_000,
      endpointingMs: 500,
      turnDetection: 'engine',
      own: read(vendor, { ...config }, model),
    } as never)?.longestSilenceMs

  it('is waited for as long as the agent’s own options let it take', () => {
    expect(longestSilence(sttVendors.assembly, { max_turn_silence: 5_300 })).toBe(5_300)
    expect(longestSilence(sttVendors.assembly, { min_turn_silence: 3_100 })).toBe(3_100)
    expect(longestSilence(sttVendors.assembly, {})).toBe(1_000)
    expect(longestSilence(sttVendors.elevenlabs, { vad_silence_threshold_secs: 2.7 })).toBe(2_700)
    expect(longestSilence(sttVendors.soniox, { max_endpoint_delay_ms: 640 })).toBe(640)
  })
})

it('AssemblyAI: one of the two silences moves the other where they would cross', async () => {
  const silences = async (config: object) => {
    const query = queryOf(await heardBy(sttVendors.assembly, openAssemblyStt(apiKey), { ...config }))
    return ['min_turn_silence', 'max_turn_silence'].map((name) => query.get(name))
  }
  expect(await silences({ min_turn_silence: 2_600 })).toEqual(['2600', '2600'])
  expect(await silences({ max_turn_silence: 60 })).toEqual(['60', '60'])
})

it('ElevenLabs gets them in its address', async () => {
  const own = {
    enable_logging: false,
    no_verbatim: true,
    filter_background_audio: true,
    secondary_languages: ['pt', 'gl'],
    entity_detection: ['pii'],
    transcript_edit: 'Write sums in figures.',
    vad_threshold: 0.55,
    vad_silence_threshold_secs: 0.9,
    min_speech_duration_ms: 120,
    min_silence_duration_ms: 240,
  }
  const server = await heardBy(sttVendors.elevenlabs, openElevenlabsStt(apiKey), own)
  expect(parameters(Object.keys(own), queryOf(server))).toEqual(asParameters(own))
})

it('AssemblyAI gets them as its library sends them', async () => {
  const own = {
    redact_pii: true,
    redact_pii_sub: 'entity_name',
    redact_pii_policies: ['phone_number', 'person_name'],
    filter_profanity: true,
    end_of_turn_confidence_threshold: 0.63,
    min_turn_silence: 310,
    max_turn_silence: 1_900,
    vad_threshold: 0.4,
    voice_focus: 'far-field',
    voice_focus_threshold: 0.7,
    prompt: 'A pharmacy.',
    agent_context: 'Which branch?',
    domain: 'medical-v1',
    mode: 'max_accuracy',
    speaker_labels: true,
    max_speakers: 3,
    continuous_partials: true,
    interruption_delay: 150,
    turn_left_pad_ms: 80,
    inactivity_timeout: 45,
  }
  const server = await heardBy(sttVendors.assembly, openAssemblyStt(apiKey), own)
  const other = await opened(openAssemblyStt(apiKey))
  const front = await behindTls(other)
  cleanups.push(() => front.close())
  const camel = Object.entries(own).map(([name, value]) => [
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ])
  const transcriber = new AssemblyAI({ apiKey }).streaming.transcriber({
    websocketBaseUrl: `wss://${front.host}/v3/ws`,
    sampleRate: 16_000,
    speechModel: 'universal-3-5-pro',
    connectTimeout: 60_000,
    ...Object.fromEntries(camel),
  })
  await transcriber.connect()
  cleanups.push(() => transcriber.close(false))
  expect(parameters(Object.keys(own), queryOf(server))).toEqual(parameters(Object.keys(own), queryOf(other)))
  expect(queryOf(server).get('redact_pii_policies')).toBe('["phone_number","person_name"]')
})

it('Gladia gets them in its session, as its library sends them', async () => {
  const own = {
    custom_metadata: { branch: 'north' },
    maximum_duration_without_endpointing: 12,
    pre_processing: { audio_enhancer: true, speech_threshold: 0.7 },
    realtime_processing: {
      custom_vocabulary: true,
      custom_vocabulary_config: {
        vocabulary: ['Maple', { value: 'Nguyen', intensity: 0.8, pronunciations: ['win'] }],
        default_intensity: 0.4,
      },
      custom_spelling: true,
      custom_spelling_config: { spelling_dictionary: { Maple: ['mapel'] } },
      translation_config: { model: 'enhanced', context: 'A dentist.', informal: true },
      named_entity_recognition: true,
      sentiment_analysis: true,
    },
  }
  const session = { ...own, language_config: { code_switching: true } }
  const server = await heardBy(sttVendors.gladia, openGladiaStt(apiKey), session, { task: 'translate' })
  expect(await settingsOf(server)).toMatchObject({
    ...own,
    language_config: { languages: ['en'], code_switching: true },
    realtime_processing: {
      translation: true,
      translation_config: { target_languages: ['en'], model: 'enhanced' },
    },
  })
  const other = await opened(openGladiaStt(apiKey))
  const theirs = new GladiaClient({ apiKey, apiUrl: other.baseUrl }).liveV2().startSession(own as never)
  cleanups.push(() => theirs.endSession())
  expect(await settingsOf(other)).toMatchObject(own)
})

it('Soniox gets them in its first message, as its library sends them', async () => {
  const own = {
    endpoint_sensitivity: -0.4,
    endpoint_latency_adjustment_level: 2,
    max_endpoint_delay_ms: 900,
    language_hints: ['en', 'cy'],
    language_hints_strict: false,
    enable_speaker_diarization: true,
    context: {
      general: [{ key: 'domain', value: 'Ferries' }],
      text: 'The caller books a crossing.',
      translation_terms: [{ source: 'Fähre', target: 'ferry' }],
    },
    client_reference_id: 'call-81',
  }
  const server = await heardBy(sttVendors.soniox, openSonioxStt(apiKey), own, { keyterms: ['Maple'] })
  expect(await settingsOf(server)).toMatchObject({ ...own, context: { ...own.context, terms: ['Maple'] } })
  const other = await opened(openSonioxStt(apiKey))
  const session = new SonioxNodeClient({
    api_key: apiKey,
    realtime: { ws_base_url: `${other.baseUrl.replace('http', 'ws')}/transcribe-websocket` },
  }).realtime.stt({
    model: 'stt-rt-v5',
    audio_format: 'pcm_s16le',
    sample_rate: 16_000,
    num_channels: 1,
    ...own,
  })
  await session.connect()
  cleanups.push(() => session.close())
  expect(await settingsOf(other)).toMatchObject(own)
})

it('Sarvam gets them in its address, as its library sends them', async () => {
  vi.stubGlobal('WebSocket', WebSocket)
  const own = { threshold: 0.35, prefix_padding_ms: 220, min_speech_duration_ms: 90 }
  const server = await heardBy(sttVendors.sarvam, openSarvamStt(apiKey), own)
  const other = await opened(openSarvamStt(apiKey))
  const client = new SarvamAIClient({
    apiSubscriptionKey: apiKey,
    baseUrl: other.baseUrl.replace('http', 'ws'),
  })
  const asTexts = Object.fromEntries(asParameters(own)) as Record<keyof typeof own, string>
  const socket = await client.speechToTextRealtimeStreaming.connect({
    language_code: 'en-IN',
    'Api-Subscription-Key': apiKey,
    reconnectAttempts: 1,
    ...asTexts,
  })
  cleanups.push(() => socket.close())
  await socket.waitForOpen()
  for (const one of [server, other])
    expect(parameters(Object.keys(own), queryOf(one))).toEqual(asParameters(own))
})

it('Smallest gets them in its address', async () => {
  const own = {
    redact_pii: true,
    redact_pci: true,
    numerals: 'auto',
    format: false,
    punctuate: false,
    capitalize: true,
    itn_normalize: true,
    diarize: true,
    finalize_on_words: true,
    max_words: 40,
  }
  const server = await heardBy(sttVendors.smallest, openSmallestStt(apiKey), own)
  expect(parameters(Object.keys(own), queryOf(server))).toEqual(asParameters(own))
})

it('OpenAI gets them in its session', async () => {
  const own = {
    noise_reduction: { type: 'far_field' },
    transcription: { prompt: 'A ferry line.', keywords: ['Ullapool'], languages: ['en', 'gd'] },
  }
  const server = await heardBy(sttVendors.openai, openOpenaiStt(apiKey), own, {
    model: 'gpt-live-transcribe',
  })
  expect(await settingsOf(server)).toMatchObject({
    audio: {
      input: {
        ...own,
        turn_detection: null,
        transcription: { ...own.transcription, model: 'gpt-live-transcribe' },
      },
    },
  })
})

it('OpenAI: how long a model that writes while it hears may wait, in place of our own choice', async () => {
  const own = { transcription: { delay: 'minimal' } }
  const model = 'gpt-realtime-whisper'
  const server = await heardBy(sttVendors.openai, openOpenaiStt(apiKey), own, { model })
  expect(await settingsOf(server)).toMatchObject({
    audio: { input: { transcription: { model, ...own.transcription } } },
  })
})

it('a server with OpenAI’s interface gets them in its form', async () => {
  const own = {
    temperature: 0.3,
    prompt: 'A ferry line.',
    chunking_strategy: 'auto',
    hotwords: 'Ullapool',
    vad_filter: true,
    seed: 7,
    top_p: 0.9,
    repetition_penalty: 1.2,
  }
  const server = await heardBy(sttVendors.whisper, openWhisperStt(apiKey), own)
  expect(await settingsOf(server)).toMatchObject(Object.fromEntries(asParameters(own)))
})

describe('Azure', () => {
  const query = {
    profanity: 'raw',
    storeAudio: true,
    initialSilenceTimeoutMs: 4_000,
    postprocessing: 'TrueText',
  }

  it('gets them in its address, as its library sends them', async () => {
    vi.stubGlobal('WebSocket', undefined)
    const own = { ...query, stableIntermediateThreshold: 3 }
    const server = await heardBy(sttVendors.azure, openAzureStt(apiKey), own)
    expect(await settingsOf(server)).toMatchObject(Object.fromEntries(asParameters(own)))
    const other = await opened(openAzureStt(apiKey))
    const config = azureSpeech.SpeechConfig.fromHost(new URL(other.baseUrl.replace('http', 'ws')), apiKey)
    config.setProfanity(azureSpeech.ProfanityOption.Raw)
    config.enableAudioLogging()
    config.setProperty(azureSpeech.PropertyId.SpeechServiceConnection_InitialSilenceTimeoutMs, '4000')
    const inAddress = azureSpeech.ServicePropertyChannel.UriQueryParameter
    config.setServiceProperty('postprocessing', 'TrueText', inAddress)
    config.setProperty(azureSpeech.PropertyId.SpeechServiceResponse_StablePartialResultThreshold, '3')
    const sound = azureSpeech.AudioInputStream.createPushStream()
    const recognizer = new azureSpeech.SpeechRecognizer(
      config,
      azureSpeech.AudioConfig.fromStreamInput(sound),
    )
    cleanups.push(() => recognizer.close())
    recognizer.startContinuousRecognitionAsync()
    await expect.poll(() => other.asked.length).toBeGreaterThan(0)
    expect(parameters(Object.keys(own), queryOf(other))).toEqual(asParameters(own))
  })

  it('ends utterances as the agent wants it', async () => {
    const segmentation = async (own: object) =>
      (await settingsOf(await heardBy(sttVendors.azure, openAzureStt(apiKey), { segmentation: own })))
        .phraseDetection
    expect(await segmentation({ mode: 'Semantic' })).toMatchObject({
      conversation: { segmentation: { mode: 'Semantic' } },
    })
    expect(await segmentation({ segmentationForcedTimeoutMs: 30_000 })).toMatchObject({
      conversation: {
        segmentation: {
          mode: 'Custom',
          segmentationSilenceTimeoutMs: 700,
          segmentationForcedTimeoutMs: 30_000,
        },
      },
    })
  })
})

it('Google gets them as its library reads them', () => {
  const own = read(sttVendors.google, {
    features: {
      profanity_filter: true,
      enable_spoken_punctuation: true,
      enable_spoken_emojis: true,
      custom_prompt_config: { custom_prompt: 'A ferry line.' },
    },
    denoiser_config: { denoise_audio: true },
    transcript_normalization: { entries: [{ search: 'mapel', replace: 'Maple', case_sensitive: true }] },
    adaptation: { phrase_sets: ['projects/p/locations/global/phraseSets/ships'] },
  })
  const credentials = { serviceAccount: JSON.stringify({ project_id: 'p' }) }
  const request = recognizeRequest(
    { model: '', rateHz: 16_000, encoding: 'linear16', endpointingMs: 700, keyterms: ['Skye'], own },
    { credentials },
  )
  const { StreamingRecognizeRequest } = protos.google.cloud.speech.v2
  const decoded = StreamingRecognizeRequest.toObject(StreamingRecognizeRequest.decode(request))
  expect(decoded.streamingConfig.config).toMatchObject({
    features: {
      profanityFilter: true,
      enableSpokenPunctuation: true,
      enableSpokenEmojis: true,
      enableWordTimeOffsets: true,
      customPromptConfig: { customPrompt: 'A ferry line.' },
    },
    denoiserConfig: { denoiseAudio: true },
    transcriptNormalization: { entries: [{ search: 'mapel', replace: 'Maple', caseSensitive: true }] },
    adaptation: {
      phraseSets: [
        { inlinePhraseSet: { phrases: [{ value: 'Skye' }] } },
        { phraseSet: 'projects/p/locations/global/phraseSets/ships' },
      ],
    },
  })
})

describe('all options that are listed', () => {
  it.each(Object.values(sttVendors))('are tried: $label', (vendor) => {
    const missing = Object.keys(vendor.ownOptions.known).filter((name) => !tried.get(vendor)?.has(name))
    expect(missing).toEqual([])
  })
})
