// The libraries of Deepgram, ElevenLabs and OpenAI against the loopback servers that say what a test tells them.
import { DeepgramClient } from '@deepgram/sdk'
import { AudioFormat, CommitStrategy, RealtimeEvents, Scribe } from '@elevenlabs/client'
import OpenAI, { toFile } from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { afterEach, expect, it } from 'vitest'
import { behindTls } from '../../test/props/vendors/behind-tls.ts'
import { openDeepgramFlux, openDeepgramStt } from '../../test/props/vendors/deepgram-stt.ts'
import { openElevenlabsStt } from '../../test/props/vendors/elevenlabs-stt.ts'
import { openOpenaiStt } from '../../test/props/vendors/openai-stt.ts'
import type { SttServer } from '../../test/props/vendors/stt-suite.ts'
import { openWhisperStt } from '../../test/props/vendors/whisper-stt.ts'
import { wavHeader } from '../media/wav.ts'

const apiKey = 'secret-of-the-vendor'
const rateHz = 16_000
/** A tenth of a second that is not silent. */
const sound = new Uint8Array(new Int16Array(rateHz / 10).fill(1_000).buffer)
const samples = Array<number>(rateHz / 10).fill(1_000)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function opened<Server extends SttServer>(opening: Promise<Server>): Promise<Server> {
  const server = await opening
  cleanups.push(() => server.close())
  return server
}

const deepgramAt = ({ baseUrl }: SttServer) =>
  new DeepgramClient({ apiKey, baseUrl: baseUrl.replace('http', 'ws') }).listen

it('Deepgram’s library understands our Nova, and is understood', async () => {
  const server = await opened(openDeepgramStt(apiKey))
  const socket = await deepgramAt(server).v1.connect({
    model: 'nova-3',
    encoding: 'linear16',
    sample_rate: rateHz,
    interim_results: 'true',
  })
  cleanups.push(() => socket.close())
  const finals: string[] = []
  socket.on('message', (message) => {
    if (message.type === 'Results' && message.from_finalize)
      finals.push(message.channel.alternatives[0]?.transcript ?? '')
  })
  socket.connect()
  await socket.waitForOpen()
  socket.sendMedia(sound)
  socket.sendKeepAlive({ type: 'KeepAlive' })
  socket.sendFinalize({ type: 'Finalize' })
  await expect.poll(() => server.told).toEqual(['keep-alive', 'finalize'])
  expect(server.sound).toEqual(samples)
  server.final('good day')
  await expect.poll(() => finals).toEqual(['good day'])
})

it('Deepgram’s library understands our Flux, and is understood', async () => {
  const server = await opened(openDeepgramFlux(apiKey))
  const socket = await deepgramAt(server).v2.connect({
    model: 'flux-general-en',
    encoding: 'linear16',
    sample_rate: rateHz,
    eager_eot_threshold: 0.5,
  })
  cleanups.push(() => socket.close())
  const turns: string[] = []
  socket.on('message', (message) => {
    if (message.type === 'TurnInfo') turns.push(`${message.event} ${message.transcript}`.trim())
  })
  socket.connect()
  await socket.waitForOpen()
  socket.sendMedia(sound)
  await expect.poll(() => server.sound).toEqual(samples)
  server.partial('good')
  server.turn('likely', 'good')
  server.turn('withdrawn', 'good')
  server.turn('certain', 'good day')
  await expect
    .poll(() => turns)
    .toEqual([
      ...['StartOfTurn', 'Update good', 'EagerEndOfTurn good', 'TurnResumed good'],
      'EndOfTurn good day',
    ])
  socket.sendForceEndTurn({ type: 'ForceEndTurn' })
  await expect.poll(() => server.told).toEqual(['finalize'])
})

it('ElevenLabs’ library understands our Scribe, and is understood', async () => {
  const server = await opened(openElevenlabsStt(apiKey))
  const connection = Scribe.connect({
    token: apiKey,
    baseUri: server.baseUrl.replace('http', 'ws'),
    modelId: 'scribe_v2_realtime',
    audioFormat: AudioFormat.PCM_16000,
    sampleRate: rateHz,
    commitStrategy: CommitStrategy.MANUAL,
    includeLanguageDetection: true,
    keyterms: ['Maple'],
  })
  cleanups.push(() => connection.close())
  const heard: string[] = []
  const failures: unknown[] = []
  let isStarted = false
  connection.on(RealtimeEvents.SESSION_STARTED, () => {
    isStarted = true
  })
  connection.on(RealtimeEvents.ERROR, (error: unknown) => failures.push(error))
  connection.on(RealtimeEvents.PARTIAL_TRANSCRIPT, ({ text }) => heard.push(`partial ${text}`))
  connection.on(RealtimeEvents.COMMITTED_TRANSCRIPT, ({ text }) => heard.push(`committed ${text}`))
  connection.on(RealtimeEvents.COMMITTED_TRANSCRIPT_WITH_TIMESTAMPS, ({ language_code }) =>
    heard.push(`in ${language_code}`),
  )
  await expect.poll(() => isStarted).toBe(true)
  connection.send({ audioBase64: Buffer.from(sound).toString('base64') })
  connection.commit()
  await expect.poll(() => server.told).toEqual(['finalize'])
  expect(server.sound).toEqual(samples)
  server.partial('bonjour')
  server.final('bonjour')
  await expect.poll(() => heard).toEqual(['partial bonjour', 'committed bonjour', 'in fr'])
  expect(failures).toEqual([])
})

it('OpenAI’s library understands our realtime transcription, and is understood', async () => {
  const server = await opened(openOpenaiStt(apiKey))
  const front = await behindTls(server)
  cleanups.push(() => front.close())
  const client = new OpenAI({ apiKey, baseURL: `https://${front.host}/v1` })
  const socket = new OpenAIRealtimeWS({ intent: 'transcription' }, client)
  cleanups.push(() => socket.close())
  const finals: string[] = []
  const failures: string[] = []
  socket.on('error', ({ message }) => failures.push(message))
  socket.on('session.created', () => {
    socket.send({
      type: 'session.update',
      session: {
        type: 'transcription',
        audio: {
          input: {
            format: { type: 'audio/pcm', rate: 24_000 },
            transcription: { model: 'gpt-live-transcribe', languages: ['en'], keywords: ['Maple'] },
          },
        },
      },
    })
    socket.send({ type: 'input_audio_buffer.append', audio: Buffer.from(sound).toString('base64') })
    socket.send({ type: 'input_audio_buffer.commit' })
  })
  socket.on('conversation.item.input_audio_transcription.completed', ({ transcript }) =>
    finals.push(transcript),
  )
  await expect.poll(() => server.told).toEqual(['finalize'])
  expect(server.sound).toEqual(samples)
  server.final('good day')
  await expect.poll(() => finals).toEqual(['good day'])
  expect(failures).toEqual([])
})

it('OpenAI’s library understands our Whisper, and is understood', async () => {
  const server = await opened(openWhisperStt(apiKey))
  const client = new OpenAI({ apiKey, baseURL: server.baseUrl })
  const header = wavHeader({ rateHz, encoding: 'linear16', channels: 1 }, sound.length)
  const answer = client.audio.transcriptions.create({
    model: 'whisper-1',
    language: 'en',
    response_format: 'verbose_json',
    file: await toFile(Buffer.concat([header, sound]), 'utterance.wav'),
  })
  await expect.poll(() => server.told).toEqual(['finalize'])
  expect([server.sound, server.settings[0]]).toMatchObject([samples, { model: 'whisper-1', language: 'en' }])
  server.final('good day')
  expect((await answer).text).toBe('good day')
})
