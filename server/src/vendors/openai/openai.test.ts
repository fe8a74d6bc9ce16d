// OpenAI against servers that speak its protocols.

import { expect, it } from 'vitest'
import {
  inJson,
  synthesizerLanguages,
  transcriberLanguages,
} from '../../../test/props/vendors/language-suite.ts'
import { openOpenaiStt } from '../../../test/props/vendors/openai-stt.ts'
import { openOpenaiTts } from '../../../test/props/vendors/openai-tts.ts'
import { openOpenaiVoices } from '../../../test/props/vendors/openai-voices.ts'
import { transcriberSuite } from '../../../test/props/vendors/stt-suite.ts'
import { heardFrom, synthesizerSuite } from '../../../test/props/vendors/tts-suite.ts'
import { turnSuite } from '../../../test/props/vendors/turn-suite.ts'
import { vendorTalk } from '../../../test/props/vendors/vendor-talk.ts'
import type { TtsVendor } from '../../ports/vendor.ts'
import { hears } from './hears.ts'
import { modelFor, speaks } from './speaks.ts'

const apiKey = 'secret-of-the-vendor'
const credentials = { apiKey }
const { cleanups, listen, say } = vendorTalk()

transcriberSuite('OpenAI', { vendor: hears, credentials, over: 'socket', open: () => openOpenaiStt(apiKey) })
turnSuite('OpenAI', {
  vendor: hears,
  credentials,
  model: 'gpt-transcribe',
  detection: { isEager: false, longestSilenceMs: 4_000 },
  onRequest: true,
  open: () => openOpenaiStt(apiKey),
})
synthesizerSuite('OpenAI by request', {
  vendor: speaks,
  credentials,
  over: 'http',
  nonsense: null,
  open: () => openOpenaiTts(apiKey),
})

const realtime = 'gpt-realtime-2.1-mini'
const inSession: TtsVendor = {
  ...speaks,
  open(given) {
    const engine = speaks.open(given)
    return {
      ...engine,
      open: (options, signal) => engine.open({ ...options, model: realtime }, signal),
      warm: async (options, signal) => engine.warm?.({ ...options, model: realtime }, signal),
    }
  },
}
synthesizerSuite('OpenAI in a session', {
  vendor: inSession,
  credentials,
  over: 'socket',
  open: () => openOpenaiVoices(apiKey),
})

transcriberLanguages(
  { vendor: hears, credentials, open: () => openOpenaiStt(apiKey) },
  {
    where: inJson('languages'),
    written: 'en,en,pt,hi,zh,pt,pt,de,',
  },
)
synthesizerLanguages(
  { vendor: speaks, credentials, open: () => openOpenaiTts(apiKey) },
  {
    where: inJson('language'),
    written: ',,,,,,,,',
  },
)

it.each([
  ['', { model: 'gpt-live-transcribe', languages: ['fr'], keywords: ['Maple', 'Oak'] }],
  ['gpt-transcribe', { model: 'gpt-transcribe', languages: ['fr'], keywords: ['Maple', 'Oak'] }],
  ['gpt-realtime-whisper', { model: 'gpt-realtime-whisper', language: 'fr', delay: 'low' }],
  [
    'gpt-4o-mini-transcribe',
    { model: 'gpt-4o-mini-transcribe', language: 'fr', prompt: 'Expect: Maple, Oak' },
  ],
])('settings of an agent with the model "%s", at OpenAI as a transcriber', async (model, transcription) => {
  const { server } = await listen(hears, openOpenaiStt(apiKey), {
    model,
    language: 'fr-CA',
    samplingRateHz: 16_000,
    keyterms: ['Maple', 'Oak'],
  })
  await expect.poll(() => server.settings.length).toBe(1)
  expect(server.settings[0]).toEqual({
    type: 'transcription',
    audio: { input: { format: { type: 'audio/pcm', rate: 24_000 }, transcription, turn_detection: null } },
  })
})

it('one that takes no keyterms says so, and those that do take all of them', () => {
  const keyterms = Array.from({ length: 300 }, (_, n) => `Name ${n}`)
  expect(hears.lacks?.({ model: 'gpt-realtime-whisper', keyterms })).toContain('keyterms')
  expect(hears.lacks?.({ model: 'gpt-realtime-whisper' })).not.toContain('keyterms')
  expect(hears.lacks?.({ keyterms })).not.toContain('keyterms')
})

it('names and the language to expect, at the newer transcribers of OpenAI', async () => {
  const { server } = await listen(hears, openOpenaiStt(apiKey), { language: 'fr-CA', keyterms: ['Maple'] })
  await expect.poll(() => server.settings.length).toBe(1)
  expect(server.settings[0]).toMatchObject({
    audio: {
      input: { transcription: { model: 'gpt-live-transcribe', languages: ['fr'], keywords: ['Maple'] } },
    },
  })
})

it.each([
  ['gpt-4o-transcribe', 500, { type: 'semantic_vad', eagerness: 'medium' }],
  ['gpt-4o-transcribe', 250, { type: 'semantic_vad', eagerness: 'high' }],
  ['gpt-4o-transcribe', 1_000, { type: 'semantic_vad', eagerness: 'low' }],
  // This model refuses it.
  ['gpt-realtime-whisper', 500, null],
])('turns that an agent leaves to OpenAI: %s with %i ms', async (model, endpointingMs, asked) => {
  const wish = { model, endpointingMs, turnDetection: 'engine' } as const
  const { server } = await listen(hears, openOpenaiStt(apiKey), wish)
  await expect.poll(() => server.settings.length).toBe(1)
  expect(server.settings[0]).toMatchObject({ audio: { input: { turn_detection: asked } } })
  expect(hears.lacks?.(wish)).toEqual(asked === null ? ['turnDetection'] : [])
})

it('settings of an agent, at OpenAI as a synthesizer', async () => {
  const { server } = await say(speaks, openOpenaiTts(apiKey), { voice: 'Coral', model: 'tts-1', speed: 9 })
  expect(server.bodies).toEqual([
    { input: 'Ask for Nguyen.', model: 'tts-1', voice: 'coral', response_format: 'pcm', speed: 4 },
  ])
})

it('speaks with a realtime model where an agent names none, but not at servers that only have its interface', () => {
  const at = (baseUrl: string | undefined) => modelFor({}, { credentials, baseUrl })
  expect([at(undefined), at('https://api.openai.com/v1')]).toEqual([realtime, realtime])
  expect(at('http://localhost:8880/v1')).toBe('gpt-4o-mini-tts')
  expect(modelFor({ model: 'tts-1' }, { credentials })).toBe('tts-1')
})

it('settings of an agent, at a realtime model of OpenAI as a synthesizer', async () => {
  const { server } = await say(speaks, openOpenaiVoices(apiKey), { voice: 'Nova', model: realtime, speed: 9 })
  expect(server.models).toEqual([realtime])
  expect(server.sessions).toEqual([
    {
      type: 'realtime',
      output_modalities: ['audio'],
      audio: {
        input: { turn_detection: null },
        output: { format: { type: 'audio/pcm', rate: 24_000 }, voice: 'coral', speed: 1.5 },
      },
    },
  ])
  expect(server.told).toEqual(['conversation none'])
  expect(speaks.lacks?.({ voice: 'Nova' })).toEqual(['voice'])
  expect(speaks.lacks?.({ voice: 'Nova', model: 'tts-1' })).toEqual([])
})

it('a sentence that is cancelled before OpenAI has told its id is cancelled when it has', async () => {
  const server = await openOpenaiVoices(apiKey)
  const engine = inSession.open({ credentials, baseUrl: server.baseUrl })
  cleanups.push(
    () => server.close(),
    () => engine.close?.(),
  )
  const held = Promise.withResolvers<void>()
  server.holdNext = () => held.promise
  const open = () => engine.open({ voice: '', rateHz: 8_000 }, new AbortController().signal)
  const first = open()
  first.write('Never mind this one.')
  first.flush()
  await expect.poll(() => server.texts).toEqual(['Never mind this one.'])
  first.cancel()
  held.resolve()
  await expect.poll(() => server.told).toContain('cancel')
  const second = open()
  second.write('This one.')
  second.finish()
  expect(await heardFrom(second)).toEqual(['This', 'one.'])
  expect(server.asked).toHaveLength(1)
})
