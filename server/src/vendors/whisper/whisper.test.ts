// Whisper against a server that speaks its protocol.

import { inJson, transcriberLanguages } from '../../../test/props/vendors/language-suite.ts'
import { transcriberSettings } from '../../../test/props/vendors/settings-suite.ts'
import { transcriberSuite } from '../../../test/props/vendors/stt-suite.ts'
import { openWhisperStt } from '../../../test/props/vendors/whisper-stt.ts'
import { hears } from './hears.ts'

const apiKey = 'secret-of-the-vendor'
const transcriber = { vendor: hears, credentials: { apiKey }, open: () => openWhisperStt(apiKey) }

transcriberSuite(hears.label, { ...transcriber, over: 'http' })

transcriberSettings({
  ...transcriber,
  usually: {
    path: '/audio/transcriptions',
    model: 'whisper-1',
    language: 'en',
    response_format: 'verbose_json',
    rateHz: 16_000,
    encoding: 'linear16',
  },
  rows: [
    [{ model: 'large-v3' }, { model: 'large-v3' }],
    [{ language: 'de-AT' }, { language: 'de' }],
    [{ samplingRateHz: 8_000 }, { rateHz: 8_000 }],
    [{ encoding: 'mulaw' }, { encoding: 'mulaw' }],
    [{ task: 'translate' }, { path: '/audio/translations' }],
    [{ keyterms: ['Maple', 'x'.repeat(700), 'Nguyen'] }, { prompt: 'Maple, Nguyen' }],
  ],
})

transcriberLanguages(transcriber, {
  where: inJson('language'),
  written: 'en,en,pt,hi,zh,pt,pt,de,',
})
