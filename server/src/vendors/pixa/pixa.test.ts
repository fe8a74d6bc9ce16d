// Pixa against servers that speak its protocols.

import {
  inJson,
  synthesizerLanguages,
  transcriberLanguages,
} from '../../../test/props/vendors/language-suite.ts'
import { openPixaStt } from '../../../test/props/vendors/pixa-stt.ts'
import { openPixaTts } from '../../../test/props/vendors/pixa-tts.ts'
import { synthesizerSettings, transcriberSettings } from '../../../test/props/vendors/settings-suite.ts'
import { transcriberSuite } from '../../../test/props/vendors/stt-suite.ts'
import { synthesizerSuite } from '../../../test/props/vendors/tts-suite.ts'
import { hears } from './hears.ts'
import { speaks } from './speaks.ts'

const apiKey = 'secret-of-the-vendor'
const transcriber = { vendor: hears, credentials: { apiKey }, open: () => openPixaStt(apiKey) }
const synthesizer = { vendor: speaks, credentials: { apiKey }, open: () => openPixaTts(apiKey) }

transcriberSuite(hears.label, { ...transcriber, over: 'socket', idleMs: 20_000 })

transcriberSettings({
  ...transcriber,
  usually: { model: 'pixa-1', language: 'hi', encoding: 'linear16', sample_rate: '16000' },
  rows: [
    [{ model: 'whisper-1' }, { model: 'whisper-1' }],
    [{ language: 'hi-IN' }, { language: 'hi' }],
    [{ samplingRateHz: 8_000 }, { sample_rate: '8000' }],
    [{ encoding: 'alaw' }, { encoding: 'alaw' }],
  ],
})

transcriberLanguages(transcriber, {
  where: inJson('language'),
  written: '-,-,-,hi,-,-,-,-,hi',
})

synthesizerSuite(speaks.label, { ...synthesizer, over: 'socket' })

synthesizerSettings(synthesizer, [
  [{ voice: 'neha' }, '"voice":"neha"'],
  [{ voice: 'neha', voiceId: 'v-7' }, '"voice":"v-7"'],
])

synthesizerLanguages(synthesizer, {
  where: inJson('language'),
  written: '-,-,-,,-,-,-,-,',
})
