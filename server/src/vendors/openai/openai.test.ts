// OpenAI against servers that speak its protocols.

import { expect, it } from 'vitest'
import {
  inJson,
  synthesizerLanguages,
  transcriberLanguages,
} from '../../../test/props/vendors/language-suite.ts'
import { openOpenaiStt } from '../../../test/props/vendors/openai-stt.ts'
import { openOpenaiTts } from '../../../test/props/vendors/openai-tts.ts'
import { transcriberSuite } from '../../../test/props/vendors/stt-suite.ts'
import { synthesizerSuite } from '../../../test/props/vendors/tts-suite.ts'
import { vendorTalk } from '../../../test/props/vendors/vendor-talk.ts'
import { hears } from './hears.ts'
import { speaks } from './speaks.ts'

const apiKey = 'secret-of-the-vendor'
const credentials = { apiKey }
const { listen, say } = vendorTalk()

transcriberSuite('OpenAI', { vendor: hears, credentials, over: 'socket', open: () => openOpenaiStt(apiKey) })
synthesizerSuite('OpenAI', {
  vendor: speaks,
  credentials,
  over: 'http',
  nonsense: null,
  open: () => openOpenaiTts(apiKey),
})

transcriberLanguages(
  { vendor: hears, credentials, open: () => openOpenaiStt(apiKey) },
  {
    where: /"languages":\["(\w+)"\]/,
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
  await expect.poll(() => server.sessions.length).toBe(1)
  expect(server.sessions[0]).toEqual({
    type: 'transcription',
    audio: { input: { format: { type: 'audio/pcm', rate: 24_000 }, transcription, turn_detection: null } },
  })
})

it('one that takes no keyterms says so, and those that do take all of them', () => {
  const keyterms = Array.from({ length: 300 }, (_, n) => `Name ${n}`)
  expect(hears.lacks?.({ model: 'gpt-realtime-whisper', keyterms })).toEqual(['keyterms'])
  expect(hears.lacks?.({ model: 'gpt-realtime-whisper' })).toEqual([])
  expect(hears.lacks?.({ keyterms })).toEqual([])
})

it('settings of an agent, at OpenAI as a synthesizer', async () => {
  const { server } = await say(speaks, openOpenaiTts(apiKey), { voice: 'Coral', model: 'tts-1', speed: 9 })
  expect(server.bodies).toEqual([
    { input: 'Ask for Nguyen.', model: 'tts-1', voice: 'coral', response_format: 'pcm', speed: 4 },
  ])
})
