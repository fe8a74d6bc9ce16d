// Synthesizers against servers that speak their protocols: what all of them must do, and what each makes of an agent's
// settings.
import { afterEach, describe, expect, it } from 'vitest'
import { openDeepgramTts } from '../../test/props/vendors/deepgram-tts.ts'
import { openElevenlabsTts } from '../../test/props/vendors/elevenlabs-tts.ts'
import { openOpenaiTts } from '../../test/props/vendors/openai-tts.ts'
import { heardFrom, synthesizerSuite, type TtsServer } from '../../test/props/vendors/tts-suite.ts'
import type { SynthesizerOptions } from '../ports/synthesizer.ts'
import type { TtsVendor } from '../ports/vendor.ts'
import { speaks as deepgram } from './deepgram/speaks.ts'
import { speaks as elevenlabs } from './elevenlabs/speaks.ts'
import { speaks as openai } from './openai/speaks.ts'

const apiKey = 'secret-of-the-vendor'
const credentials = { apiKey }

synthesizerSuite('Deepgram', {
  vendor: deepgram,
  credentials,
  over: 'socket',
  open: () => openDeepgramTts(apiKey),
})
synthesizerSuite('ElevenLabs', {
  vendor: elevenlabs,
  credentials,
  over: 'socket',
  idleMs: 20_000,
  open: () => openElevenlabsTts(apiKey),
})
synthesizerSuite('OpenAI', {
  vendor: openai,
  credentials,
  over: 'http',
  nonsense: null,
  open: () => openOpenaiTts(apiKey),
})

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** Says something with these settings. */
async function say<Server extends TtsServer>(
  vendor: TtsVendor,
  opening: Promise<Server>,
  options: Partial<SynthesizerOptions>,
): Promise<{ server: Server }> {
  const server = await opening
  const engine = vendor.open({ credentials, baseUrl: server.baseUrl })
  cleanups.push(
    () => server.close(),
    () => engine.close?.(),
  )
  const stream = engine.open({ voice: '', rateHz: 8_000, ...options }, new AbortController().signal)
  stream.write('Ask for Nguyen.')
  stream.finish()
  for await (const _ of stream);
  return { server }
}

const queryOf = ({ asked }: TtsServer) => Object.fromEntries(asked.at(-1)?.url.searchParams ?? [])

describe('settings of an agent, at Deepgram', () => {
  it.each<[Partial<SynthesizerOptions>, string]>([
    [{}, 'aura-2-thalia-en'],
    [{ voice: 'Asteria', model: 'aura' }, 'aura-asteria-en'],
    [{ voice: 'celeste', language: 'es-MX' }, 'aura-2-celeste-es'],
    [{ voice: 'x', voiceId: 'aura-2-orion-en' }, 'aura-2-orion-en'],
    [{ model: 'aura-2-luna-en' }, 'aura-2-luna-en'],
  ])('%o is the model %s', async (options, model) => {
    const { server } = await say(deepgram, openDeepgramTts(apiKey), options)
    expect(queryOf(server)).toEqual({ model, encoding: 'linear16', sample_rate: '8000' })
  })

  it('are the speed and pronunciations', async () => {
    const { server } = await say(deepgram, openDeepgramTts(apiKey), {
      speed: 0.9,
      pronunciations: [{ written: 'Nguyen', ipa: 'wɪn' }],
    })
    expect(queryOf(server)).toMatchObject({ speed: '0.9' })
    expect(server.texts).toEqual(['Ask for \\{"word": "Nguyen", "pronounce": "wɪn"\\}. '])
  })

  it('a speed that it would refuse is the nearest that it has; an empty id of a voice is none', async () => {
    const { server } = await say(deepgram, openDeepgramTts(apiKey), { voice: 'luna', voiceId: '', speed: 3 })
    expect(queryOf(server)).toMatchObject({ speed: '1.5', model: 'aura-2-luna-en' })
  })

  it('a saying is flushed twice at most, as a connection may be flushed 20 times a minute', async () => {
    const server = await openDeepgramTts(apiKey)
    const engine = deepgram.open({ credentials, baseUrl: server.baseUrl })
    cleanups.push(
      () => server.close(),
      () => engine?.close?.(),
    )
    const stream = engine?.open({ voice: '', rateHz: 8_000 }, new AbortController().signal)
    for (const clause of ['One.', 'Two.', 'Three.', 'Four.']) {
      stream?.write(clause)
      stream?.flush()
    }
    stream?.finish()
    expect(stream && (await heardFrom(stream))).toEqual(['One.', 'Two.', 'Three.', 'Four.'])
    expect(server.told).toEqual(['flush', 'flush'])
  })
})

describe('settings of an agent, at ElevenLabs', () => {
  it('are in the address and in the first message of the context', async () => {
    const { server } = await say(elevenlabs, openElevenlabsTts(apiKey), {
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
    const { server } = await say(elevenlabs, openElevenlabsTts(apiKey), {
      temperature: 2,
      similarityBoost: -1,
      speed: 2,
    })
    expect(server.contexts[0]).toMatchObject({
      voice_settings: { stability: 1, similarity_boost: 0, speed: 1.2 },
    })
  })

  it('words are marked up once, whatever the markup says', async () => {
    const { server } = await say(elevenlabs, openElevenlabsTts(apiKey), {
      pronunciations: [
        { written: 'Nguyen', ipa: 'wɪn' },
        { written: 'ipa', ipa: 'iːpa' },
      ],
    })
    expect(server.texts).toEqual(['Ask for <phoneme alphabet="ipa" ph="wɪn">Nguyen</phoneme>. '])
  })

  it('cancelled sayings never exceed the contexts that a connection may have', async () => {
    const server = await openElevenlabsTts(apiKey)
    const engine = elevenlabs.open({ credentials, baseUrl: server.baseUrl })
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
})

it('settings of an agent, at OpenAI', async () => {
  const { server } = await say(openai, openOpenaiTts(apiKey), { voice: 'Coral', model: 'tts-1', speed: 9 })
  expect(server.bodies).toEqual([
    { input: 'Ask for Nguyen.', model: 'tts-1', voice: 'coral', response_format: 'pcm', speed: 4 },
  ])
})
