// The options of the companies' own voices as their servers are sent them: every one that is listed. Where the company's own
// library is installed, it is given the same ones, and what it sends is compared.
import { PollyClient, SynthesizeSpeechCommand } from '@aws-sdk/client-polly'
import Cartesia from '@cartesia/cartesia-js'
import { DeepgramClient } from '@deepgram/sdk'
import { GoogleGenAI, Modality } from '@google/genai'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import OpenAI from 'openai'
import { SarvamAIClient } from 'sarvamai'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { openAzureTts } from '../../test/props/vendors/azure-tts.ts'
import { behindTls } from '../../test/props/vendors/behind-tls.ts'
import { openCartesiaTts } from '../../test/props/vendors/cartesia-tts.ts'
import { cleanupsHere } from '../../test/props/vendors/cleanups-here.ts'
import { openDeepgramTts } from '../../test/props/vendors/deepgram-tts.ts'
import { openElevenlabsTts } from '../../test/props/vendors/elevenlabs-tts.ts'
import { openGeminiTts } from '../../test/props/vendors/gemini-tts.ts'
import { openGoogleTts, openGoogleWholeTts, serviceAccount } from '../../test/props/vendors/google-tts.ts'
import { openOpenaiTts } from '../../test/props/vendors/openai-tts.ts'
import { openOpenaiVoices } from '../../test/props/vendors/openai-voices.ts'
import { openPixaTts } from '../../test/props/vendors/pixa-tts.ts'
import { openPollyTts } from '../../test/props/vendors/polly-tts.ts'
import { openRimeTts } from '../../test/props/vendors/rime-tts.ts'
import { openSarvamTts } from '../../test/props/vendors/sarvam-tts.ts'
import { openSmallestTts } from '../../test/props/vendors/smallest-tts.ts'
import type { TtsServer } from '../../test/props/vendors/tts-suite.ts'
import type { SynthesizerOptions } from '../ports/synthesizer.ts'
import type { TtsVendor } from '../ports/vendor.ts'
import { readOwnOptions } from '../speech/own-options.ts'
import { ttsVendors } from './index.ts'

const apiKey = 'secret-of-the-vendor'
const awsKey = { accessKeyId: 'AKIA1234', secretAccessKey: apiKey, region: 'eu-west-1' }
const cleanups = cleanupsHere()
afterEach(() => vi.unstubAllGlobals())

const tried = new Map<TtsVendor, Set<string>>()

/** What the server of a vendor gets when an agent with this `provider_config` says "Good day." */
async function sentBy<Server extends TtsServer>(
  vendor: TtsVendor,
  opening: Promise<Server>,
  config: Readonly<Record<string, unknown>>,
  { credentials = { apiKey }, ...wish }: Partial<SynthesizerOptions> & { credentials?: object } = {},
) {
  const server = await opening
  cleanups.push(() => server.close())
  const { own = {}, problems } = readOwnOptions('synthesizer', vendor, config, wish)
  expect(problems).toEqual([])
  tried.set(vendor, new Set([...(tried.get(vendor) ?? []), ...Object.keys(own)]))
  const account = { credentials: credentials as Record<string, string>, baseUrl: server.baseUrl }
  const engine = vendor.open(account)
  cleanups.push(() => engine.close?.())
  const options = { voice: '', rateHz: 16_000, ...wish, own } as const
  const stream = engine.open(options, new AbortController().signal)
  stream.write('Good day.')
  stream.finish()
  let frames = 0
  for await (const { type } of stream) if (type === 'frame') frames++
  expect(frames).toBeGreaterThan(0)
  return { server, query: queryIn(server) }
}

const queryIn = ({ asked }: Pick<TtsServer, 'asked'>) =>
  Object.fromEntries(asked.find(({ url }) => url.search !== '')?.url.searchParams ?? [])

const only = (names: readonly string[], whole: object) =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name)))

it('Deepgram: as its library sends them', async () => {
  const { query } = await sentBy(ttsVendors.deepgram, openDeepgramTts(apiKey), { mip_opt_out: true })
  const server = await openDeepgramTts(apiKey)
  cleanups.push(() => server.close())
  const client = new DeepgramClient({ apiKey, baseUrl: server.baseUrl.replace('http', 'ws') })
  const socket = await client.speak.v1.connect({ model: 'aura-2-thalia-en', mip_opt_out: true })
  cleanups.push(() => socket.close())
  socket.connect()
  await socket.waitForOpen()
  expect(query.mip_opt_out).toBe('true')
  expect(queryIn(server).mip_opt_out).toBe('true')
})

it('Deepgram Flux: as its library sends them', async () => {
  const own = { mip_opt_out: true, expressivity: -1, tag: ['night', 'emea'] }
  const { server } = await sentBy(ttsVendors.deepgram, openDeepgramTts(apiKey), own, { model: 'flux' })
  const theirs = await openDeepgramTts(apiKey)
  cleanups.push(() => theirs.close())
  const client = new DeepgramClient({ apiKey, baseUrl: theirs.baseUrl.replace('http', 'ws') })
  const socket = await client.speak.v2.connect({ model: 'flux-haley-en', ...own } as never)
  cleanups.push(() => socket.close())
  socket.connect()
  await socket.waitForOpen()
  for (const { asked } of [server, theirs]) {
    const query = asked.find(({ url }) => url.pathname === '/v2/speak')?.url.searchParams
    expect([query?.get('mip_opt_out'), query?.get('expressivity')]).toEqual(['true', '-1'])
    expect(query?.getAll('tag')).toEqual(own.tag)
  }
})

it.each([
  [{ voice: 'thalia' }, ['expressivity']],
  [{ voice: 'aura-2-thalia-en', model: 'flux' }, ['expressivity']],
  [{ voice: 'flux-haley-en' }, []],
  [{ voice: 'haley', model: 'flux' }, []],
])('Deepgram: with %j these are not sent: %j', (wish, left) => {
  const { problems } = readOwnOptions('synthesizer', ttsVendors.deepgram, { expressivity: 1 }, wish)
  expect(problems.map(({ name }) => name)).toEqual(left)
})

it('ElevenLabs’ models of the third generation: those that a dialogue has', async () => {
  const locators = [{ pronunciation_dictionary_id: 'dict-9', version_id: 'v-1' }]
  const model = 'eleven_v3'
  const shared = { enable_logging: false, apply_text_normalization: 'on' }
  const { server, query } = await sentBy(
    ttsVendors.elevenlabs,
    openElevenlabsTts(apiKey),
    { ...shared, stability: 0.37, pronunciation_dictionary_locators: locators },
    { model, temperature: 0.9 },
  )
  expect(query).toMatchObject({ enable_logging: 'false', apply_text_normalization: 'on' })
  expect(server.contexts.at(-1)).toMatchObject({
    voice_settings: { stability: 0.37 },
    pronunciation_dictionary_locators: locators,
  })
  const automatic = await sentBy(
    ttsVendors.elevenlabs,
    openElevenlabsTts(apiKey),
    { apply_text_normalization: 'auto' },
    { model },
  )
  expect(automatic.query).not.toHaveProperty('apply_text_normalization')
  const others = { style: 0.2, seed: 3, auto_mode: true, use_speaker_boost: true }
  const { own, problems } = readOwnOptions('synthesizer', ttsVendors.elevenlabs, others, { model })
  expect([own, problems.length]).toEqual([undefined, 4])
})

it('OpenAI in a session: how it is said goes before what is said', async () => {
  const instructions = 'Like a weary night porter.'
  const { server } = await sentBy(
    ttsVendors.openai,
    openOpenaiVoices(apiKey),
    { instructions },
    { model: 'gpt-realtime-2.1-mini' },
  )
  expect(server.instructions).toEqual([
    `${instructions}\n\nSay the following word for word, and nothing else: Good day.`,
  ])
})

it('ElevenLabs: in the address and in the first message of a context', async () => {
  const locators = [{ pronunciation_dictionary_id: 'dict-7', version_id: 'v-3' }]
  const { query, server } = await sentBy(ttsVendors.elevenlabs, openElevenlabsTts(apiKey), {
    enable_logging: false,
    apply_text_normalization: 'off',
    auto_mode: false,
    enable_ssml_parsing: true,
    inactivity_timeout: 77,
    seed: 4_017,
    voice_settings: { stability: 0.27, style: 0.61, speed: 0.93 },
    'voice_settings.similarity_boost': 0.44,
    use_speaker_boost: false,
    generation_config: { chunk_length_schedule: [60, 90] },
    pronunciation_dictionary_locators: locators,
  })
  expect(query).toMatchObject({
    enable_logging: 'false',
    apply_text_normalization: 'off',
    auto_mode: 'false',
    enable_ssml_parsing: 'true',
    inactivity_timeout: '77',
    seed: '4017',
    sync_alignment: 'true',
  })
  expect(server.contexts[0]).toMatchObject({
    text: ' ',
    voice_settings: {
      stability: 0.27,
      style: 0.61,
      speed: 0.93,
      similarity_boost: 0.44,
      use_speaker_boost: false,
    },
    generation_config: { chunk_length_schedule: [60, 90] },
    pronunciation_dictionary_locators: locators,
  })
})

it('ElevenLabs: beside the settings that every vendor has', async () => {
  const { server } = await sentBy(
    ttsVendors.elevenlabs,
    openElevenlabsTts(apiKey),
    { style: 0.2 },
    { temperature: 0.8, speed: 1.1 },
  )
  expect(server.contexts[0]).toMatchObject({ voice_settings: { stability: 0.8, speed: 1.1, style: 0.2 } })
})

it('Cartesia: in every request, as its library sends them', async () => {
  const own = {
    generation_config: { emotion: 'wistful', volume: 0.7, speed: 1.3 },
    pronunciation_dict_id: 'pd-12',
    max_buffer_delay_ms: 350,
    normalization: 'off',
    locale: 'en-GB',
    use_normalized_timestamps: true,
  }
  const { server } = await sentBy(ttsVendors.cartesia, openCartesiaTts(apiKey), own, { language: 'en' })
  const sent = server.messages.map((message) => JSON.parse(message))
  const names = [...Object.keys(own), 'language']
  for (const message of sent) expect(only(names, message)).toEqual(own)
  const theirs = await openCartesiaTts(apiKey)
  const front = await behindTls(theirs)
  cleanups.push(
    () => theirs.close(),
    () => front.close(),
  )
  const socket = await new Cartesia({ apiKey, baseURL: `https://${front.host}` }).tts.websocket()
  socket.on('error', () => {})
  cleanups.push(() => socket.close())
  const context = socket.context({
    model_id: 'sonic-3',
    voice: { mode: 'id', id: 'a-voice' },
    output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 16_000 },
    ...own,
  } as never)
  await context.push({ transcript: 'Good day.', ...own } as never)
  await expect.poll(() => theirs.messages.length).toBeGreaterThan(0)
  // Its interface has these two; its contexts leave them out.
  const { locale: _, normalization: __, ...passed } = own
  expect(only(Object.keys(own), JSON.parse(theirs.messages[0] ?? ''))).toEqual(passed)
})

it('Rime: those of the model', async () => {
  const generative = { top_p: 0.41, repetition_penalty: 1.7, max_tokens: 812, timeScaleFactor: 1.4 }
  const mist = {
    speedAlpha: 0.8,
    inlineSpeedAlpha: '0.5,2',
    pauseBetweenBrackets: true,
    phonemizeBetweenBrackets: true,
    noTextNormalization: true,
    reduceLatency: false,
    saveOovs: true,
  }
  const asText = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${value}`]))
  const coda = await sentBy(ttsVendors.rime, openRimeTts(apiKey), generative)
  expect(coda.query).toMatchObject(asText(generative))
  const old = await sentBy(ttsVendors.rime, openRimeTts(apiKey), mist, { model: 'mistv2' })
  expect(old.query).toMatchObject(asText(mist))
})

it('Smallest: in every request', async () => {
  const own = {
    consistency: 0.3,
    similarity: 0.9,
    enhancement: 1.5,
    pronunciation_dicts: ['names'],
    max_buffer_flush_ms: 40,
  }
  const { server } = await sentBy(ttsVendors.smallest, openSmallestTts(apiKey), own)
  for (const message of server.messages) expect(JSON.parse(message)).toMatchObject(own)
})

it('Sarvam: in its first message, as its library sends them', async () => {
  vi.stubGlobal('WebSocket', WebSocket)
  const shared = { pace: 0.9, max_chunk_length: 90, min_buffer_size: 44 }
  const own = { ...shared, pitch: -0.3, loudness: 1.8, enable_preprocessing: true }
  const { server } = await sentBy(ttsVendors.sarvam, openSarvamTts(apiKey), own, { model: 'bulbul:v2' })
  const theirs = await openSarvamTts(apiKey)
  cleanups.push(() => theirs.close())
  const client = new SarvamAIClient({
    apiSubscriptionKey: apiKey,
    baseUrl: theirs.baseUrl.replace('http', 'ws'),
  })
  const socket = await client.textToSpeechStreaming.connect({ model: 'bulbul:v2', reconnectAttempts: 1 })
  cleanups.push(() => socket.close())
  await socket.waitForOpen()
  socket.configureConnection({ language_code: 'en-IN', speaker: 'anushka', ...own })
  await expect.poll(() => theirs.messages.length).toBeGreaterThan(0)
  const configOf = (messages: readonly string[]) => only(Object.keys(own), JSON.parse(messages[0] ?? '').data)
  expect(configOf(server.messages)).toEqual(own)
  expect(configOf(theirs.messages)).toEqual(own)
  const newer = await sentBy(ttsVendors.sarvam, openSarvamTts(apiKey), { dict_id: 'd-5' })
  expect(JSON.parse(newer.server.messages[0] ?? '').data).toMatchObject({ dict_id: 'd-5' })
})

it('Pixa: in its first message, in place of the values of its client', async () => {
  const { server } = await sentBy(
    ttsVendors.pixa,
    openPixaTts(apiKey),
    { top_p: 0.5, repetition_penalty: 1.1 },
    { language: 'hi' },
  )
  expect(JSON.parse(server.messages[0] ?? '')).toMatchObject({ top_p: 0.5, repetition_penalty: 1.1 })
})

it('OpenAI: as its library sends them', async () => {
  const own = { instructions: 'Like a weary night porter.' }
  const { server } = await sentBy(ttsVendors.openai, openOpenaiTts(apiKey), own)
  const theirs = await openOpenaiTts(apiKey)
  cleanups.push(() => theirs.close())
  const client = new OpenAI({ apiKey, baseURL: `${theirs.baseUrl}/v1` })
  await client.audio.speech.create({ model: 'gpt-4o-mini-tts', voice: 'alloy', input: 'Good day.', ...own })
  expect(server.bodies[0]).toMatchObject(own)
  expect(theirs.bodies[0]).toMatchObject(own)
})

it('Gemini: as its library sends them', async () => {
  const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }]
  const generation = { seed: 41, topP: 0.6, topK: 12, presencePenalty: -0.5, frequencyPenalty: 0.5 }
  const { server } = await sentBy(ttsVendors.gemini, openGeminiTts(apiKey), { ...generation, safetySettings })
  const theirs = await openGeminiTts(apiKey)
  cleanups.push(() => theirs.close())
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: theirs.baseUrl } })
  const speechConfig = { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } }
  const config = { responseModalities: [Modality.AUDIO], speechConfig, ...generation, safetySettings }
  const answer = await client.models.generateContentStream({
    model: 'gemini-2.5-flash-preview-tts',
    contents: 'Good day.',
    config: config as never,
  })
  for await (const _ of answer);
  for (const { messages } of [server, theirs])
    expect(JSON.parse(messages[0] ?? '')).toMatchObject({ generationConfig: generation, safetySettings })
})

it('Gemini: a style beside the words, which models before 3.8 do not take', async () => {
  const { server } = await sentBy(ttsVendors.gemini, openGeminiTts(apiKey), { style: 'drowsy, unhurried' })
  expect(JSON.parse(server.messages[0] ?? '').contents[0].parts[0]).toMatchObject({
    speechMetadata: { style: 'drowsy, unhurried' },
  })
  const places = (model: string) => ttsVendors.gemini.ownOptions?.placesFor?.({ model })
  expect(places('gemini-3.8-flash-tts')).toContain('part')
  expect(places('gemini-3.1-flash-tts-preview')).not.toContain('part')
})

it('Amazon Polly: as its library sends them, and in SSML', async () => {
  const request = { LexiconNames: ['brands', 'towns'], LanguageCode: 'en-IN' } as const
  const ssml = { pitch: '+7%', volume: 'soft', domain: 'conversational', drc: 'on' }
  const { server } = await sentBy(
    ttsVendors.polly,
    openPollyTts(awsKey),
    { ...request, ...ssml },
    { credentials: awsKey, speed: 1.2 },
  )
  const theirs = await openPollyTts(awsKey)
  cleanups.push(() => theirs.close())
  const client = new PollyClient({
    region: awsKey.region,
    credentials: awsKey,
    endpoint: theirs.baseUrl,
    requestHandler: new NodeHttpHandler(),
  })
  cleanups.push(() => client.destroy())
  const asked = {
    OutputFormat: 'pcm',
    SampleRate: '16000',
    Engine: 'neural',
    VoiceId: 'Kajal',
    Text: 'Good day.',
    ...request,
  } as const
  await client.send(new SynthesizeSpeechCommand({ ...asked, LexiconNames: [...request.LexiconNames] }))
  for (const { messages } of [server, theirs]) expect(JSON.parse(messages[0] ?? '')).toMatchObject(request)
  expect(JSON.parse(server.messages[0] ?? '').Text).toBe(
    '<speak><amazon:domain name="conversational"><amazon:effect name="drc">' +
      '<prosody rate="120%" pitch="+7%" volume="soft">Good day.</prosody>' +
      '</amazon:effect></amazon:domain></speak>',
  )
})

it('Azure: in the address and in SSML, whose signs are escaped', async () => {
  const { server, query } = await sentBy(ttsVendors.azuretts, openAzureTts(apiKey), {
    deploymentId: 'dep-9',
    style: 'cheer"ful',
    styledegree: 1.6,
    role: 'OlderAdultMale',
    pitch: '-4%',
    volume: '+20%',
    effect: 'eq_telecomhp8k',
  })
  expect(query.deploymentId).toBe('dep-9')
  const sent = server.messages.join('\n')
  expect(sent).toContain('<voice name="en-US-AvaMultilingualNeural" effect="eq_telecomhp8k">')
  expect(sent).toContain(
    '<mstts:express-as style="cheer&quot;ful" styledegree="1.6" role="OlderAdultMale">' +
      '<prosody pitch="-4%" volume="+20%">Good day.</prosody></mstts:express-as>',
  )
})

it('Google: those of voices that stream, and those of voices that do not', async () => {
  const account = serviceAccount('agent')
  const credentials = { serviceAccount: account }
  const { server } = await sentBy(
    ttsVendors.google,
    openGoogleTts(account),
    { prompt: 'Whisper it.' },
    { credentials, model: 'gemini-tts' },
  )
  expect(server.prompts).toEqual(['Whisper it.'])
  const config = { pitch: -3.5, volume_gain_db: 4, effects_profile_id: ['telephony-class-application'] }
  const whole = await sentBy(ttsVendors.google, openGoogleWholeTts(account), config, {
    credentials,
    voice: 'de-DE-Neural2-B',
  })
  expect(JSON.parse(whole.server.messages[0] ?? '').audioConfig).toMatchObject(config)
})

describe('all options that are listed', () => {
  it.each(Object.values(ttsVendors))('are tried: $label', (vendor) => {
    const missing = Object.keys(vendor.ownOptions.known).filter((name) => !tried.get(vendor)?.has(name))
    expect(missing).toEqual([])
  })
})
