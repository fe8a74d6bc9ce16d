// ElevenLabs against servers that speak its protocols.

import { describe, expect, it } from 'vitest'
import { openElevenlabsStt } from '../../../test/props/vendors/elevenlabs-stt.ts'
import { openElevenlabsTts } from '../../../test/props/vendors/elevenlabs-tts.ts'
import {
  inQuery,
  synthesizerLanguages,
  transcriberLanguages,
} from '../../../test/props/vendors/language-suite.ts'
import { transcriberSuite } from '../../../test/props/vendors/stt-suite.ts'
import { synthesizerSuite } from '../../../test/props/vendors/tts-suite.ts'
import { turnSuite } from '../../../test/props/vendors/turn-suite.ts'
import { queryOf, vendorTalk } from '../../../test/props/vendors/vendor-talk.ts'
import { hears } from './hears.ts'
import { speaks } from './speaks.ts'

const apiKey = 'secret-of-the-vendor'
const credentials = { apiKey }
const { cleanups, listen, say } = vendorTalk()

transcriberSuite('ElevenLabs', {
  vendor: hears,
  credentials,
  over: 'socket',
  idleMs: 10_000,
  open: () => openElevenlabsStt(apiKey),
})
turnSuite('ElevenLabs', {
  vendor: hears,
  credentials,
  model: 'scribe_v2_realtime',
  detection: { isEager: false, longestSilenceMs: 500 },
  onRequest: true,
  open: () => openElevenlabsStt(apiKey),
})
synthesizerSuite('ElevenLabs', {
  vendor: speaks,
  credentials,
  over: 'socket',
  idleMs: 20_000,
  open: () => openElevenlabsTts(apiKey),
})

synthesizerSuite('ElevenLabs in a dialogue', {
  vendor: speaks,
  credentials,
  over: 'socket',
  model: 'eleven_v3_conversational',
  idleMs: 20_000,
  open: () => openElevenlabsTts(apiKey),
})

it('sends no more keyterms than ElevenLabs takes, and none that is too long', async () => {
  const keyterms = ['Kuala Lumpur City Centre', ...Array.from({ length: 60 }, (_, n) => `Name ${n}`)]
  const { query } = await listen(hears, openElevenlabsStt(apiKey), { keyterms })
  expect(query.getAll('keyterms')).toEqual(keyterms.slice(1, 51))
})

transcriberLanguages(
  { vendor: hears, credentials, open: () => openElevenlabsStt(apiKey) },
  {
    where: inQuery('language_code'),
    written: 'en,en,pt,hi,zh,pt,pt,de,',
  },
)
synthesizerLanguages(
  { vendor: speaks, credentials, open: () => openElevenlabsTts(apiKey) },
  {
    where: inQuery('language_code'),
    written: 'en,en,pt,hi,zh,pt,pt,de,',
  },
)

it('settings of an agent, at ElevenLabs as a transcriber', async () => {
  const { query, server, events } = await listen(hears, openElevenlabsStt(apiKey), {
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

it('an agent that leaves turns to ElevenLabs has its own silence there, within what it accepts', async () => {
  const asked = async (endpointingMs: number) => {
    const { query } = await listen(hears, openElevenlabsStt(apiKey), {
      turnDetection: 'engine',
      endpointingMs,
    })
    return [query.get('commit_strategy'), query.get('vad_silence_threshold_secs')]
  }
  expect(await asked(900)).toEqual(['vad', '0.9'])
  expect(await asked(90)).toEqual(['vad', '0.3'])
})

describe('settings of an agent, at ElevenLabs as a synthesizer', () => {
  it('are in the address and in the first message of the context', async () => {
    const { server } = await say(speaks, openElevenlabsTts(apiKey), {
      voice: 'Adam',
      voiceId: 'v/1',
      model: 'eleven_turbo_v2_5',
      language: 'pt-BR',
      rateHz: 48_000,
      temperature: 0.4,
      similarityBoost: 0.8,
      speed: 1.1,
      bufferSize: 60,
      pronunciations: [{ written: 'nguyen', ipa: 'wɪn' }],
    })
    expect(server.asked[0]?.url.pathname).toBe('/v1/text-to-speech/v%2F1/multi-stream-input')
    expect(queryOf(server)).toMatchObject({
      model_id: 'eleven_turbo_v2_5',
      output_format: 'pcm_24000',
      language_code: 'pt',
      auto_mode: 'true',
      enable_ssml_parsing: 'true',
    })
    expect(server.contexts[0]).toMatchObject({
      text: ' ',
      voice_settings: { stability: 0.4, similarity_boost: 0.8, speed: 1.1 },
      generation_config: { chunk_length_schedule: [60] },
    })
    expect(server.texts).toEqual(['Ask for <phoneme alphabet="ipa" ph="wɪn">Nguyen</phoneme>. '])
  })

  it('what it would refuse is the nearest that it has', async () => {
    const { server } = await say(speaks, openElevenlabsTts(apiKey), {
      temperature: 2,
      similarityBoost: -1,
      speed: 2,
    })
    expect(server.contexts[0]).toMatchObject({
      voice_settings: { stability: 1, similarity_boost: 0, speed: 1.2 },
    })
  })

  it('words are marked up once, whatever the markup says', async () => {
    const { server } = await say(speaks, openElevenlabsTts(apiKey), {
      pronunciations: [
        { written: 'Nguyen', ipa: 'wɪn' },
        { written: 'ipa', ipa: 'iːpa' },
      ],
    })
    expect(server.texts).toEqual(['Ask for <phoneme alphabet="ipa" ph="wɪn">Nguyen</phoneme>. '])
  })

  it('cancelled sayings never exceed the contexts that a connection may have', async () => {
    const server = await openElevenlabsTts(apiKey)
    const engine = speaks.open({ credentials, baseUrl: server.baseUrl })
    cleanups.push(
      () => server.close(),
      () => engine?.close?.(),
    )
    server.fault = { is: 'stall' }
    for (let n = 0; n < 7; n++)
      engine?.open({ voice: '', rateHz: 8_000 }, new AbortController().signal).cancel()
    await expect.poll(() => server.contexts.length).toBe(7)
    expect(server.asked.length).toBe(2)
    expect(server.connections.size).toBe(2)
  })

  it.each(['eleven_v3', 'eleven_v3_conversational'])('of %s are those of a dialogue', async (model) => {
    const { server } = await say(speaks, openElevenlabsTts(apiKey), {
      voiceId: 'v1',
      model,
      language: 'pt-BR',
      rateHz: 48_000,
      temperature: 7,
      similarityBoost: 0.8,
      speed: 1.1,
      bufferSize: 60,
      pronunciations: [{ written: 'nguyen', ipa: 'wɪn' }],
    })
    expect(server.asked[0]?.url.pathname).toBe('/v1/text-to-dialogue/multi-stream-input')
    expect(queryOf(server)).toEqual({
      model_id: model,
      output_format: 'pcm_24000',
      language_code: 'pt',
      sync_alignment: 'true',
    })
    const [kept, first] = server.contexts
    expect(kept).toEqual({ context_id: 'kept-open', voices: ['v1'] })
    expect(first).toMatchObject({ voices: ['v1'], voice_settings: { stability: 1 } })
    expect(server.texts).toEqual(['Ask for Nguyen. '])
    expect(speaks.lacks?.({ model })).toEqual(['similarityBoost', 'speed', 'bufferSize', 'pronunciations'])
    expect(speaks.lacks?.({ model: 'eleven_flash_v2_5' })).toEqual([])
  })
})
