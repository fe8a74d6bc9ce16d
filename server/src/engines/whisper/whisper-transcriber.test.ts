// Whisper in a live call: growing partials, the final, and the language of a caller who may speak any.
import { afterAll, expect, it } from 'vitest'
import { clipsAbsent, overTelephone, readClips } from '../../../test/props/engines/clips.ts'
import { finalText, listen } from '../../../test/props/engines/listen.ts'
import { modelsAtHand } from '../../../test/props/engines/models-at-hand.ts'
import { wordErrors } from '../../../test/props/engines/word-errors.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import { silero, whisperBase } from '../models/catalogue.ts'
import { sileroDetector } from '../silero/silero.ts'
import { whisperTranscriber } from './whisper-transcriber.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, whisperBase)
// Loading takes seconds, and other tests may keep both cores busy.
const slowMs = 180_000

describeUnless(absent ?? clipsAbsent, 'whisper in a call', () => {
  const detector = sileroDetector({ folder })
  const transcriber = whisperTranscriber({ folder, size: 'base', languages: ['en', 'es', 'fr'] })
  const clip = readClips().find(({ name }) => name === 'lv_0920')
  const [said, samples] = [clip?.said ?? '', overTelephone(clip?.samples ?? new Int16Array())]
  afterAll(async () => {
    await transcriber.close()
    await detector.close()
  })

  it(
    'hears a named language, word by word',
    async () => {
      const events = await listen({ transcriber, detector }, samples, 8_000, {
        language: 'en-GB',
        isLive: true,
      })
      expect(wordErrors(said, finalText(events)).errors).toBeLessThanOrEqual(2)
      const partials = events.flatMap((event) => (event.type === 'partial' ? [event.text] : []))
      expect(partials.length).toBeGreaterThan(0)
      expect(partials.at(-1)?.length).toBeGreaterThan(partials[0]?.length ?? 0)
      expect(events.some(({ type }) => type === 'language')).toBe(false)
    },
    slowMs,
  )

  it(
    'finds out which language is spoken, before the words',
    async () => {
      const events = await listen({ transcriber, detector }, samples, 8_000, { language: 'auto' })
      expect(events.filter(({ type }) => type === 'language')).toEqual([{ type: 'language', language: 'en' }])
      const order = events.map(({ type }) => type)
      expect(order.indexOf('language')).toBeLessThan(order.indexOf('final'))
      expect(wordErrors(said, finalText(events)).errors).toBeLessThanOrEqual(2)
    },
    slowMs,
  )

  it(
    'hears no words in noise',
    async () => {
      const noise = readClips().find(({ name }) => name.startsWith('noise_'))?.samples ?? new Int16Array()
      const events = await listen({ transcriber, detector }, noise.subarray(0, 5 * 16_000), 16_000, {
        language: 'es',
      })
      expect(finalText(events).trim()).toBe('')
    },
    slowMs,
  )
})
