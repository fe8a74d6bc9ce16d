// AssemblyAI against a server that speaks its protocol.
import { openAssemblyStt } from '../../../test/props/vendors/assembly-stt.ts'
import { transcriberLanguages } from '../../../test/props/vendors/language-suite.ts'
import { transcriberSettings } from '../../../test/props/vendors/settings-suite.ts'
import { transcriberSuite } from '../../../test/props/vendors/stt-suite.ts'
import { hears } from './hears.ts'

const apiKey = 'secret-of-the-vendor'
const transcriber = { vendor: hears, credentials: { apiKey }, open: () => openAssemblyStt(apiKey) }

transcriberSuite(hears.label, { ...transcriber, over: 'socket', idleMs: 20_000 })

transcriberSettings({
  ...transcriber,
  usually: {
    speech_model: 'universal-3-5-pro',
    sample_rate: '16000',
    encoding: 'pcm_s16le',
    format_turns: 'true',
    min_turn_silence: '500',
    max_turn_silence: '500',
    language_codes: '["en"]',
  },
  rows: [
    [{ model: 'universal-streaming-english' }, { speech_model: 'universal-streaming-english' }],
    [{ language: 'pt-BR' }, { language_codes: '["pt"]' }],
    [{ language: 'auto' }, { language_detection: 'true' }],
    [{ samplingRateHz: 8_000 }, { sample_rate: '8000' }],
    [{ encoding: 'mulaw' }, { encoding: 'pcm_mulaw' }],
    [{ endpointingMs: 700 }, { min_turn_silence: '700', max_turn_silence: '700' }],
    [{ keyterms: ['Maple', 'Nguyen'] }, { keyterms_prompt: '["Maple","Nguyen"]' }],
  ],
})

transcriberLanguages(transcriber, {
  where: /language_codes":"\[\\"(\w+)/,
  written: 'en,en,pt,hi,zh,pt,pt,de,',
})
