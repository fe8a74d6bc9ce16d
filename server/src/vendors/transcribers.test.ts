// Transcribers against servers that speak their protocols: what all of them must do, and what each makes of an agent's
// settings.
import { afterEach, describe, expect, it } from 'vitest'
import { openDeepgramFlux, openDeepgramStt } from '../../test/props/vendors/deepgram-stt.ts'
import { openElevenlabsStt } from '../../test/props/vendors/elevenlabs-stt.ts'
import { openOpenaiStt } from '../../test/props/vendors/openai-stt.ts'
import { type SttServer, transcriberSuite } from '../../test/props/vendors/stt-suite.ts'
import { makeFrame } from '../media/frame.ts'
import type { TranscriberOptions, TranscriptEvent } from '../ports/transcriber.ts'
import type { SttVendor } from '../ports/vendor.ts'
import { hears as deepgram } from './deepgram/hears.ts'
import { hears as elevenlabs } from './elevenlabs/hears.ts'
import { hears as openai } from './openai/hears.ts'

const apiKey = 'secret-of-the-vendor'
const credentials = { apiKey }

transcriberSuite('Deepgram Nova', {
  vendor: deepgram,
  credentials,
  over: 'socket',
  model: 'nova-3',
  idleMs: 10_000,
  open: () => openDeepgramStt(apiKey),
})
transcriberSuite('Deepgram Flux', {
  vendor: deepgram,
  credentials,
  over: 'socket',
  model: 'flux-general-en',
  idleMs: 10_000,
  endsByItself: true,
  tellsTimes: false,
  open: () => openDeepgramFlux(apiKey),
})
transcriberSuite('ElevenLabs', {
  vendor: elevenlabs,
  credentials,
  over: 'socket',
  idleMs: 10_000,
  open: () => openElevenlabsStt(apiKey),
})
transcriberSuite('OpenAI', { vendor: openai, credentials, over: 'socket', open: () => openOpenaiStt(apiKey) })

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const usual = { model: '', rateHz: 8_000, endpointingMs: 700 } as const

async function listen<Server extends SttServer>(
  vendor: SttVendor,
  opening: Promise<Server>,
  options: Partial<TranscriberOptions>,
) {
  const server = await opening
  const stop = new AbortController()
  const stream = vendor
    .open({ credentials, baseUrl: server.baseUrl })
    .open({ ...usual, ...options }, stop.signal)
  cleanups.push(
    () => server.close(),
    () => stop.abort(),
  )
  const events: TranscriptEvent[] = []
  void (async () => {
    for await (const event of stream) events.push(event)
  })()
  await expect.poll(() => server.connections.size).toBe(1)
  const query = server.asked[0]?.url.searchParams ?? new URLSearchParams()
  return { server, stream, events, query }
}

describe('settings of an agent, at Deepgram', () => {
  it('are in the address', async () => {
    const { query, server, stream } = await listen(deepgram, openDeepgramStt(apiKey), {
      model: 'nova-3',
      language: 'de',
      samplingRateHz: 8_000,
      encoding: 'mulaw',
      keyterms: ['Maple', 'Oak'],
    })
    expect(Object.fromEntries(query)).toMatchObject({
      model: 'nova-3',
      language: 'de',
      encoding: 'mulaw',
      sample_rate: '8000',
      endpointing: '700',
    })
    expect(query.getAll('keyterm')).toEqual(['Maple', 'Oak'])
    const frame = makeFrame(8_000)
    frame.samples.fill(1_000)
    stream.write(frame)
    await expect.poll(() => server.sound.length).toBe(160)
    expect(server.sound[0]).toBeCloseTo(1_000, -2)
  })

  it('older models have keywords, and any language is `multi`', async () => {
    const { query, events, server } = await listen(deepgram, openDeepgramStt(apiKey, ['es']), {
      model: 'nova-2',
      language: 'auto',
      keyterms: ['Maple'],
    })
    expect(query.getAll('keywords')).toEqual(['Maple'])
    expect(query.get('language')).toBe('multi')
    server.final('hola')
    await expect
      .poll(() => events)
      .toEqual([
        { type: 'language', language: 'es' },
        expect.objectContaining({ type: 'final', text: 'hola', confidence: 0.98 }),
      ])
  })

  it('parts of an utterance that are settled are kept until it is over', async () => {
    const { server, stream, events } = await listen(deepgram, openDeepgramStt(apiKey), { model: 'nova-3' })
    const settled = { type: 'Results', is_final: true, speech_final: false }
    for (const client of server.connections)
      client.send(JSON.stringify({ ...settled, channel: { alternatives: [{ transcript: 'my number' }] } }))
    server.partial('is five')
    stream.finalize?.()
    await expect.poll(() => server.told).toEqual(['finalize'])
    server.final('is five six')
    await expect.poll(() => events.at(-1)).toMatchObject({ type: 'final', text: 'my number is five six' })
    expect(events.map((event) => 'text' in event && event.text)).toEqual([
      ...['my number', 'my number is five', 'my number is five six'],
    ])
  })

  it('of Flux are those of turns', async () => {
    const { query } = await listen(deepgram, openDeepgramFlux(apiKey), {
      model: 'flux-general-multi',
      language: 'es-MX',
      endpointingMs: 300,
      keyterms: ['Maple'],
    })
    expect(Object.fromEntries(query)).toEqual({
      model: 'flux-general-multi',
      encoding: 'linear16',
      sample_rate: '8000',
      eot_timeout_ms: '500',
      keyterm: 'Maple',
      language_hint: 'es',
    })
  })
})

it('settings of an agent, at ElevenLabs', async () => {
  const { query, server, events } = await listen(elevenlabs, openElevenlabsStt(apiKey), {
    samplingRateHz: 16_000,
    language: 'auto',
    keyterms: ['Maple'],
  })
  expect(Object.fromEntries(query)).toEqual({
    model_id: 'scribe_v2_realtime',
    audio_format: 'pcm_16000',
    commit_strategy: 'manual',
    include_language_detection: 'true',
    keyterms: 'Maple',
  })
  server.final('bonjour')
  await expect
    .poll(() => events)
    .toEqual([
      { type: 'language', language: 'fr' },
      { type: 'final', text: 'bonjour' },
    ])
})

it('settings of an agent, at OpenAI', async () => {
  const { server } = await listen(openai, openOpenaiStt(apiKey), {
    model: 'gpt-4o-mini-transcribe',
    language: 'fr-CA',
    samplingRateHz: 16_000,
    keyterms: ['Maple', 'Oak'],
  })
  await expect.poll(() => server.sessions.length).toBe(1)
  expect(server.sessions[0]).toEqual({
    type: 'transcription',
    audio: {
      input: {
        format: { type: 'audio/pcm', rate: 24_000 },
        transcription: { model: 'gpt-4o-mini-transcribe', language: 'fr', prompt: 'Expect: Maple, Oak' },
        turn_detection: null,
      },
    },
  })
})
