// Gemini against a server that speaks its protocol.
import { openGeminiTts } from '../../../test/props/vendors/gemini-tts.ts'
import { inJson, synthesizerLanguages } from '../../../test/props/vendors/language-suite.ts'
import { synthesizerSettings } from '../../../test/props/vendors/settings-suite.ts'
import { synthesizerSuite } from '../../../test/props/vendors/tts-suite.ts'
import { speaks } from './speaks.ts'

const apiKey = 'secret-of-the-vendor'
const synthesizer = { vendor: speaks, credentials: { apiKey }, open: () => openGeminiTts(apiKey) }

synthesizerSuite(speaks.label, {
  ...synthesizer,
  over: 'http',
  nonsense: 'data: {"candidates":7}\n\n',
  novelty: 'data: {"novel":1}\r\n\r\n',
})

synthesizerSettings(synthesizer, [
  [{ voice: 'Puck' }, ['/models/gemini-3.8-flash-lite-tts:', '"voiceConfig":{"voice":"Puck"}']],
  [{ voice: 'Puck', voiceId: 'Leda' }, '"voiceConfig":{"voice":"Leda"}'],
  [{ model: 'gemini-3.8-flash-tts' }, ['/models/gemini-3.8-flash-tts:', '"voiceConfig":{"voice":"Kore"}']],
  [
    { voice: 'Puck', model: 'gemini-3.1-flash-tts-preview' },
    ['/models/gemini-3.1-flash-tts-preview:', '"prebuiltVoiceConfig":{"voiceName":"Puck"}'],
  ],
  [{ language: 'it' }, '"languageCode":"it-IT"'],
  [{ model: 'gemini-2.5-pro-preview-tts' }, '/models/gemini-2.5-pro-preview-tts:'],
  [{ temperature: 0.7 }, '"temperature":0.7'],
])

synthesizerLanguages(synthesizer, {
  where: inJson('languageCode'),
  written: 'en-US,en-US,pt-BR,hi-IN,cmn-CN,pt-BR,pt-BR,de-DE,',
})
