// AssemblyAI against a server that speaks its protocol.
import { openAssemblyStt } from '../../../test/props/vendors/assembly-stt.ts'
import { transcriberLanguages } from '../../../test/props/vendors/language-suite.ts'
import { transcriberSettings } from '../../../test/props/vendors/settings-suite.ts'
import { transcriberSuite } from '../../../test/props/vendors/stt-suite.ts'
import { turnSuite } from '../../../test/props/vendors/turn-suite.ts'
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
    min_turn_silence: '100',
    max_turn_silence: '1000',
    language_codes: '["en"]',
  },
  rows: [
    [{ model: 'universal-streaming-english' }, { speech_model: 'universal-streaming-english' }],
    [{ language: 'pt-BR' }, { language_codes: '["pt"]' }],
    [{ language: 'auto' }, { language_detection: 'true' }],
    [{ samplingRateHz: 8_000 }, { sample_rate: '8000' }],
    [{ encoding: 'mulaw' }, { encoding: 'pcm_mulaw' }],
    [{ endpointingMs: 700 }, { min_turn_silence: '140', max_turn_silence: '1400' }],
    [
      { endpointingMs: 700, model: 'universal-streaming-english' },
      { min_turn_silence: '560', max_turn_silence: '1792', end_of_turn_confidence_threshold: '0.4' },
    ],
    [
      { endpointingMs: 700, turnDetection: 'call' },
      { min_turn_silence: '700', max_turn_silence: '700' },
    ],
    [{ keyterms: ['Maple', 'Nguyen'] }, { keyterms_prompt: '["Maple","Nguyen"]' }],
  ],
})

const longest = { isEager: false, longestSilenceMs: 1_000 }
turnSuite(hears.label, { ...transcriber, model: 'universal-3-5-pro', detection: longest })
turnSuite('AssemblyAI’s universal-streaming', {
  ...transcriber,
  model: 'universal-streaming-english',
  detection: { ...longest, longestSilenceMs: 1_280 },
  tellsLikely: true,
})

transcriberLanguages(transcriber, {
  where: /language_codes":"\[\\"(\w+)/,
  written: 'en,en,pt,hi,zh,pt,pt,de,',
})
