// The vendors' own libraries with the loopback servers that our synthesizers are tested against: witnesses that these speak
// the vendors' protocols.
import { PollyClient, SynthesizeSpeechCommand } from '@aws-sdk/client-polly'
import Cartesia from '@cartesia/cartesia-js'
import { DeepgramClient } from '@deepgram/sdk'
import { GoogleGenAI, Modality } from '@google/genai'
import { TextToSpeechClient } from '@google-cloud/text-to-speech'
import { credentials as grpc } from '@grpc/grpc-js'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import * as azureSpeech from 'microsoft-cognitiveservices-speech-sdk'
import OpenAI from 'openai'
import { SarvamAIClient } from 'sarvamai'
import { afterEach, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { openAzureTts } from '../../test/props/vendors/azure-tts.ts'
import { behindTls } from '../../test/props/vendors/behind-tls.ts'
import { openCartesiaTts } from '../../test/props/vendors/cartesia-tts.ts'
import { openDeepgramTts } from '../../test/props/vendors/deepgram-tts.ts'
import { openGeminiTts } from '../../test/props/vendors/gemini-tts.ts'
import { openGoogleTts, serviceAccount } from '../../test/props/vendors/google-tts.ts'
import { openOpenaiTts } from '../../test/props/vendors/openai-tts.ts'
import { openPollyTts } from '../../test/props/vendors/polly-tts.ts'
import { openSarvamTts } from '../../test/props/vendors/sarvam-tts.ts'
import { soundOf } from '../../test/props/vendors/spoken-words.ts'
import { googleJwt } from './google/google-jwt.ts'

const apiKey = 'secret-of-the-vendor'
const rateHz = 16_000
const expected = (hz: number) => Buffer.concat(['Good', 'day.'].map((word) => soundOf(word, hz)))

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllGlobals()
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function opened<Server extends { close(): Promise<void> }>(opening: Promise<Server>): Promise<Server> {
  const server = await opening
  cleanups.push(() => server.close())
  return server
}

it('Amazon’s is understood, and its signature accepted', async () => {
  const key = { accessKeyId: 'AKIA1234', secretAccessKey: apiKey, region: 'eu-west-1' }
  const server = await opened(openPollyTts(key))
  const client = new PollyClient({
    region: key.region,
    credentials: key,
    endpoint: server.baseUrl,
    // It would speak HTTP/2.
    requestHandler: new NodeHttpHandler(),
  })
  cleanups.push(() => client.destroy())
  const { AudioStream } = await client.send(
    new SynthesizeSpeechCommand({
      OutputFormat: 'pcm',
      SampleRate: '16000',
      VoiceId: 'Joanna',
      Engine: 'neural',
      Text: 'Good day.',
    }),
  )
  expect(Buffer.from((await AudioStream?.transformToByteArray()) ?? [])).toEqual(expected(rateHz))
})

it('Google’s streams, with a token of ours', async () => {
  const account = serviceAccount('agent')
  const server = await opened(openGoogleTts(account))
  const { hostname, port } = new URL(server.baseUrl)
  const token = googleJwt(account, 'https://texttospeech.googleapis.com/')
  const client = new TextToSpeechClient({
    apiEndpoint: hostname,
    port: Number(port),
    sslCreds: grpc.createInsecure(),
    credentials: JSON.parse(account),
    projectId: 'parley-test',
  })
  cleanups.push(() => client.close())
  const stream = client.streamingSynthesize({ otherArgs: { headers: { authorization: `Bearer ${token}` } } })
  const chunks: Buffer[] = []
  const done = new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject))
  stream.on('data', ({ audioContent }: { audioContent: Buffer }) => chunks.push(audioContent))
  const streamingAudioConfig = { audioEncoding: 'PCM', sampleRateHertz: 24_000 }
  const voice = { languageCode: 'en-US', name: 'en-US-Chirp3-HD-Charon' }
  stream.write({ streamingConfig: { voice, streamingAudioConfig } })
  stream.write({ input: { text: 'Good day.' } })
  stream.end()
  await done
  expect(Buffer.concat(chunks)).toEqual(expected(24_000))
})

it('that of the Gemini API reads audio from events', async () => {
  const server = await opened(openGeminiTts(apiKey))
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.baseUrl } })
  const answer = await client.models.generateContentStream({
    model: 'gemini-3.8-flash-lite-tts',
    contents: 'Good day.',
    config: { responseModalities: [Modality.AUDIO], speechConfig: { voiceConfig: { voice: 'Kore' } } },
  })
  const chunks: Buffer[] = []
  for await (const { candidates } of answer)
    for (const { inlineData } of candidates?.[0]?.content?.parts ?? [])
      chunks.push(Buffer.from(inlineData?.data ?? '', 'base64'))
  expect(Buffer.concat(chunks)).toEqual(expected(24_000))
})

it('Deepgram’s gets sound until it is flushed', async () => {
  const server = await opened(openDeepgramTts(apiKey))
  const client = new DeepgramClient({ apiKey, baseUrl: server.baseUrl.replace('http', 'ws') })
  const socket = await client.speak.v1.connect({
    model: 'aura-2-thalia-en',
    encoding: 'linear16',
    sample_rate: `${rateHz}`,
  })
  cleanups.push(() => socket.close())
  const pieces: Blob[] = []
  let isFlushed = false
  socket.on('message', (message) => {
    if (message instanceof Blob) pieces.push(message)
    else if (typeof message !== 'string' && message.type === 'Flushed') isFlushed = true
  })
  socket.connect()
  await socket.waitForOpen()
  socket.sendText({ type: 'Speak', text: 'Good day.' })
  socket.sendFlush({ type: 'Flush' })
  await expect.poll(() => isFlushed).toBe(true)
  expect(Buffer.from(await new Blob(pieces).arrayBuffer())).toEqual(expected(rateHz))
})

it('Deepgram’s gets a turn of a Flux voice, and interrupts the next', async () => {
  const server = await opened(openDeepgramTts(apiKey))
  const client = new DeepgramClient({ apiKey, baseUrl: server.baseUrl.replace('http', 'ws') })
  const socket = await client.speak.v2.connect({
    model: 'flux-haley-en',
    encoding: 'linear16',
    sample_rate: `${rateHz}`,
    Authorization: `Token ${apiKey}`,
  })
  cleanups.push(() => socket.close())
  const pieces: Blob[] = []
  const told: string[] = []
  socket.on('message', (message: unknown) => {
    if (message instanceof Blob) pieces.push(message)
    else told.push((message as { readonly type: string }).type)
  })
  socket.connect()
  await socket.waitForOpen()
  socket.sendSpeak({ type: 'Speak', text: 'Good day.' })
  socket.sendFlush({ type: 'Flush' })
  await expect.poll(() => told).toEqual(['Connected', 'SpeechStarted', 'Flushed', 'SpeechMetadata'])
  expect(Buffer.from(await new Blob(pieces).arrayBuffer())).toEqual(expected(rateHz))
  socket.sendSpeak({ type: 'Speak', text: 'Never mind.' })
  socket.sendInterrupt({ type: 'Interrupt' })
  await expect.poll(() => told.slice(4)).toEqual(['SpeechStarted', 'SpeechInterrupted'])
})

it('Cartesia’s keeps the clauses of a context together', async () => {
  const server = await opened(openCartesiaTts(apiKey))
  const front = await behindTls(server)
  cleanups.push(() => front.close())
  const client = new Cartesia({ apiKey, baseURL: `https://${front.host}` })
  const socket = await client.tts.websocket()
  // Its server is closed before it.
  socket.on('error', () => {})
  cleanups.push(() => socket.close())
  const context = socket.context({
    model_id: 'sonic-3',
    voice: { mode: 'id', id: 'a-voice' },
    output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: rateHz },
  })
  await context.push({ transcript: 'Good ' })
  await context.push({ transcript: 'day.' })
  await context.no_more_inputs()
  const chunks: Buffer[] = []
  for await (const event of context.receive())
    if (event.type === 'chunk') chunks.push(Buffer.from(event.data, 'base64'))
  expect(Buffer.concat(chunks)).toEqual(expected(rateHz))
})

it('OpenAI’s gets one sentence as PCM', async () => {
  const server = await opened(openOpenaiTts(apiKey))
  const client = new OpenAI({ apiKey, baseURL: `${server.baseUrl}/v1` })
  const answer = await client.audio.speech.create({
    model: 'gpt-4o-mini-tts',
    voice: 'alloy',
    input: 'Good day.',
    response_format: 'pcm',
  })
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(expected(24_000))
})

it('Azure’s gets sound, and the times of its words', async () => {
  // Its library takes Node for a browser otherwise, which cannot send headers.
  vi.stubGlobal('WebSocket', undefined)
  const server = await opened(openAzureTts(apiKey))
  const config = azureSpeech.SpeechConfig.fromHost(new URL(server.baseUrl.replace('http', 'ws')), apiKey)
  config.speechSynthesisOutputFormat = azureSpeech.SpeechSynthesisOutputFormat.Raw16Khz16BitMonoPcm
  config.speechSynthesisVoiceName = 'en-US-AvaMultilingualNeural'
  const synthesizer = new azureSpeech.SpeechSynthesizer(config, null as never)
  cleanups.push(() => synthesizer.close())
  const words: [string, number][] = []
  synthesizer.wordBoundary = (_, { text, audioOffset, boundaryType }) => {
    if (boundaryType === azureSpeech.SpeechSynthesisBoundaryType.Word)
      words.push([text, audioOffset / 10_000])
  }
  const result = await new Promise<azureSpeech.SpeechSynthesisResult>((resolve, reject) =>
    synthesizer.speakTextAsync('Good day.', resolve, reject),
  )
  expect(result.errorDetails).toBeUndefined()
  expect(Buffer.from(result.audioData)).toEqual(expected(rateHz))
  expect(words).toEqual([
    ['Good', 0],
    ['day', 200],
  ])
})

it('Sarvam’s configures, speaks and flushes', async () => {
  // The one of Node sends no headers.
  vi.stubGlobal('WebSocket', WebSocket)
  const server = await opened(openSarvamTts(apiKey))
  const client = new SarvamAIClient({
    apiSubscriptionKey: apiKey,
    baseUrl: server.baseUrl.replace('http', 'ws'),
  })
  const socket = await client.textToSpeechStreaming.connect({
    model: 'bulbul:v3',
    send_completion_event: 'true',
    'Api-Subscription-Key': apiKey,
    reconnectAttempts: 1,
  })
  cleanups.push(() => socket.close())
  const chunks: Buffer[] = []
  let isDone = false
  socket.on('message', (message) => {
    if (message.type === 'audio') chunks.push(Buffer.from(message.data.audio, 'base64'))
    if (message.type === 'event') isDone = true
  })
  await socket.waitForOpen()
  socket.configureConnection({
    language_code: 'en-IN',
    speaker: 'shubh',
    output_audio_codec: 'linear16',
    speech_sample_rate: rateHz,
  })
  socket.convert('Good day.')
  socket.flush()
  await expect.poll(() => isDone).toBe(true)
  expect(Buffer.concat(chunks)).toEqual(expected(rateHz))
})
