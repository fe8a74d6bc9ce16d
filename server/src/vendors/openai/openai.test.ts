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
    where: inJson('language'),
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

it('settings of an agent, at OpenAI as a transcriber', async () => {
  const { server } = await listen(hears, openOpenaiStt(apiKey), {
    model: 'gpt-4o-mini-transcribe',
    language: 'fr-CA',
    samplingRateHz: 16_000,
    keyterms: ['Maple', 'Oak'],
  })
  await expect.poll(() => server.settings.length).toBe(1)
  expect(server.settings[0]).toEqual({
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

it('settings of an agent, at OpenAI as a synthesizer', async () => {
  const { server } = await say(speaks, openOpenaiTts(apiKey), { voice: 'Coral', model: 'tts-1', speed: 9 })
  expect(server.bodies).toEqual([
    { input: 'Ask for Nguyen.', model: 'tts-1', voice: 'coral', response_format: 'pcm', speed: 4 },
  ])
})
