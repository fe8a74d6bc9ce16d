// Gladia against a server that speaks its protocol.
import { openGladiaStt } from '../../../test/props/vendors/gladia-stt.ts'
import { inJson, transcriberLanguages } from '../../../test/props/vendors/language-suite.ts'
import { transcriberSettings } from '../../../test/props/vendors/settings-suite.ts'
import { transcriberSuite } from '../../../test/props/vendors/stt-suite.ts'
import { hears } from './hears.ts'

const apiKey = 'secret-of-the-vendor'
const transcriber = { vendor: hears, credentials: { apiKey }, open: () => openGladiaStt(apiKey) }

transcriberSuite(hears.label, { ...transcriber, over: 'socket', idleMs: 20_000, endsByItself: true })

transcriberSettings({
  ...transcriber,
  usually: {
    model: 'solaria-1',
    encoding: 'wav/pcm',
    bit_depth: 16,
    sample_rate: 16_000,
    channels: 1,
    endpointing: 0.5,
    language_config: { languages: ['en'] },
    realtime_processing: {},
  },
  rows: [
    [{ model: 'solaria-2' }, { model: 'solaria-2' }],
    [{ language: 'French' }, { language_config: { languages: ['fr'] } }],
    [{ language: 'auto' }, { language_config: { languages: [], code_switching: true } }],
    [{ samplingRateHz: 8_000 }, { sample_rate: 8_000 }],
    [{ encoding: 'mulaw' }, { encoding: 'wav/ulaw', bit_depth: 8 }],
    [{ endpointingMs: 250 }, { endpointing: 0.25 }],
    [
      { task: 'translate' },
      { realtime_processing: { translation: true, translation_config: { target_languages: ['en'] } } },
    ],
    [
      { keyterms: ['Maple'] },
      {
        realtime_processing: {
          custom_vocabulary: true,
          custom_vocabulary_config: { vocabulary: ['Maple'] },
        },
      },
    ],
  ],
})

transcriberLanguages(transcriber, {
  where: inJson('languages'),
  written: 'en,en,pt,hi,zh,pt,pt,de,',
})
