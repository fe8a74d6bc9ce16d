// Azure against servers that speak its protocols.

import { expect } from 'vitest'
import { openAzureStt } from '../../../test/props/vendors/azure-stt.ts'
import { openAzureTts } from '../../../test/props/vendors/azure-tts.ts'
import {
  inJson,
  synthesizerLanguages,
  transcriberLanguages,
} from '../../../test/props/vendors/language-suite.ts'
import {
  pronouncedWords,
  synthesizerSettings,
  transcriberSettings,
} from '../../../test/props/vendors/settings-suite.ts'
import { transcriberSuite } from '../../../test/props/vendors/stt-suite.ts'
import { synthesizerSuite } from '../../../test/props/vendors/tts-suite.ts'
import { hears } from './hears.ts'
import { speaks } from './speaks.ts'

const apiKey = 'secret-of-the-vendor'
const transcriber = {
  vendor: hears,
  credentials: { apiKey, region: 'westeurope' },
  open: () => openAzureStt(apiKey),
}
const synthesizer = {
  vendor: speaks,
  credentials: { apiKey, region: 'westeurope' },
  open: () => openAzureTts(apiKey),
}

const novelty = 'X-RequestId: 1\r\nPath: novel.thing\r\n\r\n{}'

transcriberSuite(hears.label, {
  ...transcriber,
  over: 'socket',
  nonsense: 'X-RequestId: 1\r\nPath: speech.hypothesis\r\n\r\n{"nonsense":',
  novelty,
})

transcriberSettings({
  ...transcriber,
  usually: {
    path: '/speech/recognition/conversation/cognitiveservices/v1',
    language: 'en-US',
    format: 'simple',
    rateHz: 16_000,
    encoding: 'linear16',
    phraseDetection: {
      mode: 'Conversation',
      conversation: { segmentation: { mode: 'Custom', segmentationSilenceTimeoutMs: 500 } },
    },
  },
  rows: [
    [{ model: 'b6f2' }, { cid: 'b6f2' }],
    [{ language: 'de' }, { language: 'de-DE' }],
    [{ language: 'en-gb' }, { language: 'en-GB' }],
    [
      { language: 'auto' },
      {
        path: '/stt/speech/universal/v2',
        lidEnabled: 'true',
        languageId: expect.objectContaining({ mode: 'DetectContinuous' }),
      },
    ],
    [{ samplingRateHz: 8_000 }, { rateHz: 8_000 }],
    [{ encoding: 'alaw' }, { encoding: 'alaw' }],
    [
      { endpointingMs: 9_000 },
      {
        phraseDetection: {
          mode: 'Conversation',
          conversation: { segmentation: { mode: 'Custom', segmentationSilenceTimeoutMs: 5_000 } },
        },
      },
    ],
    [{ keyterms: ['Maple'] }, { dgi: { groups: [{ type: 'Generic', items: [{ text: 'Maple' }] }] } }],
  ],
})

transcriberLanguages(transcriber, {
  where: inJson('language'),
  written: 'en-US,en-US,pt-BR,hi-IN,zh-CN,pt-BR,pt-BR,de-AT,',
})

synthesizerSuite(speaks.label, { ...synthesizer, over: 'socket', novelty })

synthesizerSettings(synthesizer, [
  [{ voice: 'en-US-GuyNeural' }, '<voice name="en-US-GuyNeural">'],
  [{ voice: 'x', voiceId: 'en-GB-RyanNeural' }, '<voice name="en-GB-RyanNeural">'],
  [{ language: 'fr' }, '<lang xml:lang="fr-FR">'],
  [{ speed: 1.2 }, '<prosody rate="1.2">'],
  [{ pronunciations: pronouncedWords }, '<phoneme alphabet="ipa" ph="ŋwiən">Nguyen</phoneme>'],
])

synthesizerLanguages(synthesizer, {
  where: /<speak [^>]*xml:lang="([^"]*)"/,
  written: 'en-US,en-US,pt-BR,hi-IN,zh-CN,pt-BR,pt-BR,de-AT,en-US',
})
