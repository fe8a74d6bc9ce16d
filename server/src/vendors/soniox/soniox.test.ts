// Soniox against a server that speaks its protocol.

import { inJson, transcriberLanguages } from '../../../test/props/vendors/language-suite.ts'
import { transcriberSettings } from '../../../test/props/vendors/settings-suite.ts'
import { openSonioxStt } from '../../../test/props/vendors/soniox-stt.ts'
import { transcriberSuite } from '../../../test/props/vendors/stt-suite.ts'
import { turnSuite } from '../../../test/props/vendors/turn-suite.ts'
import { hears } from './hears.ts'

const apiKey = 'secret-of-the-vendor'
const transcriber = { vendor: hears, credentials: { apiKey }, open: () => openSonioxStt(apiKey) }

transcriberSuite(hears.label, { ...transcriber, over: 'socket', idleMs: 20_000 })

transcriberSettings({
  ...transcriber,
  usually: {
    model: 'stt-rt-v5',
    audio_format: 'pcm_s16le',
    sample_rate: 16_000,
    num_channels: 1,
    language_hints: ['en'],
    language_hints_strict: true,
    max_endpoint_delay_ms: 2_000,
  },
  rows: [
    [{ model: 'stt-rt-v4' }, { model: 'stt-rt-v4' }],
    [{ language: 'it_IT' }, { language_hints: ['it'] }],
    [{ language: 'auto' }, { enable_language_identification: true }],
    [{ samplingRateHz: 8_000 }, { sample_rate: 8_000 }],
    [{ encoding: 'alaw' }, { audio_format: 'alaw' }],
    [{ task: 'translate' }, { translation: { type: 'one_way', target_language: 'en' } }],
    [{ endpointingMs: 100 }, { max_endpoint_delay_ms: 500 }],
    [{ endpointingMs: 600 }, { max_endpoint_delay_ms: 2_400 }],
    [{ endpointingMs: 900 }, { max_endpoint_delay_ms: 3_000 }],
    [{ endpointingMs: 900, turnDetection: 'call' }, { max_endpoint_delay_ms: 900 }],
    [{ keyterms: ['Maple'] }, { context: { terms: ['Maple'] } }],
  ],
})

turnSuite(hears.label, {
  ...transcriber,
  model: 'stt-rt-v5',
  detection: { isEager: false, longestSilenceMs: 2_000 },
})

transcriberLanguages(transcriber, {
  where: inJson('language_hints'),
  written: 'en,en,pt,hi,zh,pt,pt,de,',
})
