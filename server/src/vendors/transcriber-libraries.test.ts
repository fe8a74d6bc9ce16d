// The vendors' own libraries against the loopback servers: a second witness that the servers speak as the vendors do.
import { GladiaClient } from '@gladiaio/sdk'
import { v2 as googleSpeech, type protos } from '@google-cloud/speech'
import { credentials as grpc } from '@grpc/grpc-js'
import { SonioxNodeClient } from '@soniox/node'
import { AssemblyAI, type TurnEvent } from 'assemblyai'
import * as azureSpeech from 'microsoft-cognitiveservices-speech-sdk'
import { SarvamAIClient } from 'sarvamai'
import { afterEach, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { openAssemblyStt } from '../../test/props/vendors/assembly-stt.ts'
import { openAzureStt } from '../../test/props/vendors/azure-stt.ts'
import { behindTls } from '../../test/props/vendors/behind-tls.ts'
import { openGladiaStt } from '../../test/props/vendors/gladia-stt.ts'
import { openGoogleStt } from '../../test/props/vendors/google-stt.ts'
import { openSarvamStt } from '../../test/props/vendors/sarvam-stt.ts'
import { openSonioxStt } from '../../test/props/vendors/soniox-stt.ts'
import type { HearingServer } from '../../test/props/vendors/stt-server.ts'
import { levelsOf } from '../../test/props/vendors/word-ears.ts'

const apiKey = 'secret-of-the-vendor'
const rateHz = 16_000
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllGlobals()
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function opened<Server extends HearingServer>(opening: Promise<Server>): Promise<Server> {
  const server = await opening
  cleanups.push(() => server.close())
  server.understands = true
  return server
}

/** "One two" and a second of silence, 60 ms at a time. */
const chunks = (): readonly Buffer[] => {
  const levels = [...levelsOf(['one', 'two']), ...Array<number>(50).fill(0)]
  const samples = Int16Array.from(levels.flatMap((level) => Array<number>(rateHz / 50).fill(level)))
  const pcm = Buffer.from(samples.buffer)
  const size = (rateHz * 2 * 60) / 1_000
  return Array.from({ length: Math.floor(pcm.length / size) }, (_, n) =>
    pcm.subarray(n * size, (n + 1) * size),
  )
}

it('Soniox’s library understands our Soniox, and is understood', async () => {
  const server = await opened(openSonioxStt(apiKey))
  const client = new SonioxNodeClient({
    api_key: apiKey,
    realtime: { ws_base_url: `${server.baseUrl.replace('http', 'ws')}/transcribe-websocket` },
  })
  const session = client.realtime.stt({
    model: 'stt-rt-v5',
    audio_format: 'pcm_s16le',
    sample_rate: rateHz,
    num_channels: 1,
    enable_endpoint_detection: false,
  })
  let text = ''
  let isFinalized = false
  session.on('result', ({ tokens }) => {
    for (const token of tokens) if (token.is_final) text += token.text
  })
  session.on('finalized', () => {
    isFinalized = true
  })
  await session.connect()
  cleanups.push(() => session.close())
  for (const chunk of chunks()) session.sendAudio(chunk)
  session.finalize()
  await expect.poll(() => isFinalized).toBe(true)
  expect(text.replace('<fin>', '')).toBe('one two')
  let ends = 0
  session.on('endpoint', () => ends++)
  server.turn('certain', 'three')
  await expect.poll(() => ends).toBe(1)
})

it('Gladia’s library understands our Gladia, and is understood', async () => {
  const server = await opened(openGladiaStt(apiKey))
  const session = new GladiaClient({ apiKey, apiUrl: server.baseUrl })
    .liveV2()
    .startSession({ encoding: 'wav/pcm', bit_depth: 16, sample_rate: rateHz, channels: 1, endpointing: 0.3 })
  cleanups.push(() => session.endSession())
  const finals: string[] = []
  let acknowledged = 0
  session.on('message', (message) => {
    if (message.type === 'transcript' && message.data.is_final) finals.push(message.data.utterance.text)
    if (message.type === 'audio_chunk') acknowledged = message.data?.byte_range[1] ?? 0
  })
  for (const chunk of chunks()) session.sendAudio(chunk)
  await expect.poll(() => finals).toEqual(['one two'])
  await expect.poll(() => acknowledged).toBe(chunks().length * (chunks()[0]?.length ?? 0))
})

it.each(['vad', 'manual'] as const)(
  'Sarvam’s library understands our Sarvam, and is understood: %s',
  async (endpointing) => {
    // The one of Node sends no headers.
    vi.stubGlobal('WebSocket', WebSocket)
    const server = await opened(openSarvamStt(apiKey))
    const client = new SarvamAIClient({
      apiSubscriptionKey: apiKey,
      baseUrl: server.baseUrl.replace('http', 'ws'),
    })
    const socket = await client.speechToTextRealtimeStreaming.connect({
      language_code: 'en-IN',
      sample_rate: `${rateHz}`,
      encoding: 'linear16',
      endpointing,
      silence_duration_ms: '300',
      'Api-Subscription-Key': apiKey,
      reconnectAttempts: 1,
    })
    cleanups.push(() => socket.close())
    const finals: string[] = []
    socket.on('message', (message) => {
      if (message.event === 'transcript.final') finals.push(message.text)
    })
    await socket.waitForOpen()
    if (endpointing === 'manual') socket.sendRealtimeSpeechStart({ event: 'speech_start' })
    for (const chunk of chunks())
      socket.sendRealtimeAudioInput({ event: 'audio_input', audio: chunk.toString('base64') })
    if (endpointing === 'manual') socket.sendRealtimeSpeechEnd({ event: 'speech_end' })
    await expect.poll(() => finals).toEqual(['one two'])
  },
)

it('Azure’s library understands our Azure, and is understood', async () => {
  // Its library takes Node for a browser otherwise, which cannot send headers.
  vi.stubGlobal('WebSocket', undefined)
  const server = await opened(openAzureStt(apiKey))
  const config = azureSpeech.SpeechConfig.fromHost(new URL(server.baseUrl.replace('http', 'ws')), apiKey)
  config.speechRecognitionLanguage = 'en-US'
  const sound = azureSpeech.AudioInputStream.createPushStream(
    azureSpeech.AudioStreamFormat.getWaveFormatPCM(rateHz, 16, 1),
  )
  const recognizer = new azureSpeech.SpeechRecognizer(config, azureSpeech.AudioConfig.fromStreamInput(sound))
  cleanups.push(() => recognizer.close())
  const partials: string[] = []
  const finals: string[] = []
  recognizer.recognizing = (_, { result }) => partials.push(result.text)
  recognizer.recognized = (_, { result }) => finals.push(result.text)
  recognizer.startContinuousRecognitionAsync()
  for (const chunk of chunks()) sound.write(Uint8Array.from(chunk).buffer)
  sound.close()
  await expect.poll(() => finals).toEqual(['one two'])
  expect(partials).toContain('one')
})

it('AssemblyAI’s library understands our AssemblyAI, and is understood', async () => {
  const server = await opened(openAssemblyStt(apiKey))
  const front = await behindTls(server)
  cleanups.push(() => front.close())
  const transcriber = new AssemblyAI({ apiKey }).streaming.transcriber({
    websocketBaseUrl: `wss://${front.host}/v3/ws`,
    sampleRate: rateHz,
    formatTurns: true,
    // The server is on a crowded machine.
    speechModel: 'universal-3-5-pro',
    connectTimeout: 60_000,
  })
  const finals: string[] = []
  transcriber.on('turn', (turn: TurnEvent) => {
    if (turn.end_of_turn && turn.turn_is_formatted) finals.push(turn.transcript)
  })
  await transcriber.connect()
  cleanups.push(() => transcriber.close(false))
  for (const chunk of chunks()) transcriber.sendAudio(Uint8Array.from(chunk).buffer)
  transcriber.forceEndpoint()
  await expect.poll(() => finals).toEqual(['one two'])
  server.turn('certain', 'three')
  await expect.poll(() => finals).toEqual(['one two', 'three'])
})

it('Google’s library understands our Google, and is understood', async () => {
  const server = await opened(openGoogleStt())
  const { hostname, port } = new URL(server.baseUrl)
  const client = new googleSpeech.SpeechClient({
    apiEndpoint: hostname,
    port: Number(port),
    sslCreds: grpc.createInsecure(),
    projectId: 'shop',
    credentials: { client_email: 'parley@shop.example.com', private_key: 'none' },
  })
  cleanups.push(() => client.close())
  const stream = client._streamingRecognize()
  const finals: unknown[] = []
  const done = new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject))
  stream.on('data', ({ results }: GoogleAnswer) => {
    for (const { isFinal, alternatives } of results ?? [])
      if (isFinal) finals.push(alternatives?.[0]?.transcript)
  })
  stream.write({
    recognizer: 'projects/shop/locations/global/recognizers/_',
    streamingConfig: {
      config: {
        model: 'long',
        languageCodes: ['en-US'],
        explicitDecodingConfig: { encoding: 'LINEAR16', sampleRateHertz: rateHz, audioChannelCount: 1 },
      },
      streamingFeatures: { interimResults: true },
    },
  })
  for (const chunk of chunks()) stream.write({ audio: chunk })
  stream.end()
  await done
  expect(finals).toEqual(['one two'])
  expect(server.settings[0]).toMatchObject({ model: 'long', languages: ['en-US'], rateHz, interim: 1 })
})

type GoogleAnswer = protos.google.cloud.speech.v2.IStreamingRecognizeResponse
