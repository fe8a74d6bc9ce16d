// Calls in other languages, with the engines of a media thread: what is spoken is understood.
import { afterAll, expect, it } from 'vitest'
import { finalText, listen } from '../../test/props/engines/listen.ts'
import { loudnessLufs } from '../../test/props/engines/loudness.ts'
import { modelsAtHand, modelsIfPresent } from '../../test/props/engines/models-at-hand.ts'
import { joined, said } from '../../test/props/engines/said.ts'
import { wordErrors } from '../../test/props/engines/word-errors.ts'
import { describeUnless } from '../../test/props/unless.ts'
import { openEmbedded } from './engines.ts'
import { silero } from './models/catalogue.ts'
import { world } from './models/sets.ts'
import { spokenOffline } from './offline-languages.ts'
import { listVoices } from './voice/voice-samples.ts'

const { folder, absent: detector } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero)
const { absent: weights } = await modelsIfPresent(process.env.PARLEY_MODELS_DIR, ...world)

// On a busy machine the voice is several times slower than real time.
const slowMs = 300_000

describeUnless(detector ?? weights, 'a call in another language', () => {
  const log = { info() {}, warn() {} } as unknown as Parameters<typeof openEmbedded>[0]['log']
  const embedded = openEmbedded({ models: { folder }, threads: 1, tts: 'wren', log })
  afterAll(() => embedded.close())

  const spokenIn = async (language: string, text: string) => {
    const voice = embedded.voices.pick({ language })
    return joined(await said(embedded.synthesizer, text, { voice, language, rateHz: 8_000 }))
  }

  it(
    'is spoken and understood, and a caller of any language is recognised',
    async () => {
      const text = 'Buenos días, quería confirmar su cita de mañana. Muchas gracias por llamar.'
      const sound = await spokenIn('es-MX', text)
      expect(Math.abs(loudnessLufs(sound, 8_000) + 23)).toBeLessThanOrEqual(1)
      const spanish = embedded.transcriberFor('es-MX')
      expect([spanish.used, embedded.voices.engineFor('es-MX')]).toEqual(['whisper', 'kokoro'])
      const ears = { transcriber: spanish.transcriber, detector: embedded.detector }
      const heard = finalText(await listen(ears, sound, 8_000, { language: 'es-MX' }))
      expect(wordErrors(text, heard).errors).toBeLessThanOrEqual(3)
      const events = await listen(ears, sound, 8_000, { language: 'auto' })
      expect(events).toContainEqual({ type: 'language', language: 'es' })
    },
    slowMs,
  )

  it('is heard by whisper in English too, if whisper was asked for', async () => {
    await embedded.voices.ready
    expect(embedded.transcriberFor('en', 'whisper').used).toBe('whisper')
    expect(embedded.transcriberFor('en', 'deepgram').used).toBe('moonshine')
  })

  it('has its voices in the list, unless it is refused', async () => {
    const languages = (await listVoices(folder, 'wren')).map(({ language }) => language)
    expect(new Set(languages)).toEqual(new Set(spokenOffline))
  })
})

it('English and nothing named are heard by the recognizer for English, any language by whisper', async () => {
  const log = { info() {}, warn() {} } as unknown as Parameters<typeof openEmbedded>[0]['log']
  const embedded = openEmbedded({ models: { folder }, threads: 1, tts: 'wren', log })
  const used = [undefined, 'en-GB', 'English', 'no language', 'auto', 'Hindi', 'zh'].map(
    (language) => embedded.transcriberFor(language).used,
  )
  expect(used).toEqual(['moonshine', 'moonshine', 'moonshine', 'moonshine', 'whisper', 'whisper', 'whisper'])
  await embedded.close()
})
