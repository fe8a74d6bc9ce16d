// Smallest against servers that speak its protocols.

import {
  inJson,
  synthesizerLanguages,
  transcriberLanguages,
} from '../../../test/props/vendors/language-suite.ts'
import { synthesizerSettings, transcriberSettings } from '../../../test/props/vendors/settings-suite.ts'
import { openSmallestStt } from '../../../test/props/vendors/smallest-stt.ts'
import { openSmallestTts } from '../../../test/props/vendors/smallest-tts.ts'
import { transcriberSuite } from '../../../test/props/vendors/stt-suite.ts'
import { synthesizerSuite } from '../../../test/props/vendors/tts-suite.ts'
import { hears } from './hears.ts'
import { speaks } from './speaks.ts'

const apiKey = 'secret-of-the-vendor'
const transcriber = { vendor: hears, credentials: { apiKey }, open: () => openSmallestStt(apiKey) }
const synthesizer = { vendor: speaks, credentials: { apiKey }, open: () => openSmallestTts(apiKey) }

transcriberSuite(hears.label, { ...transcriber, over: 'socket', idleMs: 20_000 })

transcriberSettings({
  ...transcriber,
  usually: {
    model: 'pulse',
    language: 'en',
    encoding: 'linear16',
    sample_rate: '16000',
    endpointing: 'true',
    eou_timeout_ms: '500',
  },
  rows: [
    [{ model: 'pulse-2' }, { model: 'pulse-2' }],
    [{ language: 'es-MX' }, { language: 'es' }],
    [{ language: 'auto' }, { language: 'multi' }],
    [{ samplingRateHz: 8_000 }, { sample_rate: '8000' }],
    [{ encoding: 'mulaw' }, { encoding: 'mulaw' }],
    [{ endpointingMs: 20 }, { eou_timeout_ms: '100' }],
    [{ keyterms: ['Maple', 'Nguyen:4'] }, { keywords: 'Maple:2,Nguyen:4' }],
  ],
})

transcriberLanguages(transcriber, {
  where: inJson('language'),
  written: 'en,en,pt,hi,zh,pt,pt,de,multi',
})

synthesizerSuite(speaks.label, { ...synthesizer, over: 'socket' })

synthesizerSettings(synthesizer, [
  [{ voice: 'meher' }, '"voice_id":"meher"'],
  [{ voice: 'meher', voiceId: 'liam' }, '"voice_id":"liam"'],
  [{ language: 'hi-IN' }, '"language":"hi"'],
  [{ model: 'lightning_v3.1_pro' }, '"model":"lightning_v3.1_pro"'],
  [{ speed: 0.8 }, '"speed":0.8'],
])

synthesizerLanguages(synthesizer, {
  where: inJson('language'),
  written: 'en,en,pt,hi,zh,pt,pt,de,',
})
