// Cartesia against a server that speaks its protocol.
import { openCartesiaTts } from '../../../test/props/vendors/cartesia-tts.ts'
import { inJson, synthesizerLanguages } from '../../../test/props/vendors/language-suite.ts'
import { synthesizerSettings } from '../../../test/props/vendors/settings-suite.ts'
import { synthesizerSuite } from '../../../test/props/vendors/tts-suite.ts'
import { speaks } from './speaks.ts'

const apiKey = 'secret-of-the-vendor'
const synthesizer = { vendor: speaks, credentials: { apiKey }, open: () => openCartesiaTts(apiKey) }

synthesizerSuite(speaks.label, { ...synthesizer, over: 'socket' })

synthesizerSettings(synthesizer, [
  [{ voice: 'a-voice' }, '"voice":{"mode":"id","id":"a-voice"}'],
  [{ voice: 'a-voice', voiceId: 'an-id' }, '"id":"an-id"'],
  [{ language: 'pt-BR' }, '"language":"pt"'],
  [{ model: 'sonic-2' }, '"model_id":"sonic-2"'],
  [{ speed: 1.25 }, '"generation_config":{"speed":1.25}'],
  [{ speed: 9 }, '"generation_config":{"speed":1.5}'],
])

synthesizerLanguages(synthesizer, {
  where: inJson('language'),
  written: 'en,en,pt,hi,zh,pt,pt,de,',
})
