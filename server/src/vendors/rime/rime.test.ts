// Rime against a server that speaks its protocol.

import { inQuery, synthesizerLanguages } from '../../../test/props/vendors/language-suite.ts'
import { openRimeTts } from '../../../test/props/vendors/rime-tts.ts'
import { interruptedBetweenClauses, synthesizerSettings } from '../../../test/props/vendors/settings-suite.ts'
import { synthesizerSuite } from '../../../test/props/vendors/tts-suite.ts'
import { speaks } from './speaks.ts'

const apiKey = 'secret-of-the-vendor'
const synthesizer = { vendor: speaks, credentials: { apiKey }, open: () => openRimeTts(apiKey) }

synthesizerSuite(speaks.label, { ...synthesizer, over: 'socket' })

synthesizerSettings(synthesizer, [
  [{ voice: 'cove' }, 'speaker=cove'],
  [{ voice: 'cove', voiceId: 'luna' }, 'speaker=luna'],
  [{ language: 'de-DE' }, 'lang=de'],
  [{ language: 'ja' }, 'lang=ja'],
  [{ language: 'de-AT', model: 'mistv2' }, 'lang=ger'],
  [{ model: 'mistv2' }, 'modelId=mistv2'],
  [{ temperature: 0.4 }, 'temperature=0.4'],
  [{ speed: 1.25 }, 'timeScaleFactor=0.8'],
  [{ speed: 2, model: 'mistv3' }, 'speedAlpha=0.5'],
])

synthesizerLanguages(synthesizer, {
  where: inQuery('lang'),
  written: 'en,en,pt,-,-,pt,pt,de,',
})

interruptedBetweenClauses(synthesizer)
