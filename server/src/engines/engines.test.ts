// All engines together, as in the media thread: warmed up, a sentence spoken and recognised, closed while working.
import { expect, it } from 'vitest'
import { finalText, listen } from '../../test/props/engines/listen.ts'
import { modelsAtHand } from '../../test/props/engines/models-at-hand.ts'
import { joined, said } from '../../test/props/engines/said.ts'
import { wordErrors } from '../../test/props/engines/word-errors.ts'
import { describeUnless } from '../../test/props/unless.ts'
import { openEmbedded } from './engines.ts'
import { minilm, moonshine, silero } from './models/catalogue.ts'
import { pronunciation } from './models/kokoro.ts'

const { folder, absent } = await modelsAtHand(
  process.env.PARLEY_MODELS_DIR,
  silero,
  moonshine,
  pronunciation,
  minilm,
)

const slowMs = 120_000

function open(models = folder) {
  const logged: string[] = []
  const note = (_: unknown, message?: string) => void logged.push(message ?? '')
  const log = { info: note, warn: note } as unknown as Parameters<typeof openEmbedded>[0]['log']
  return { logged, embedded: openEmbedded({ models: { folder: models }, threads: 1, tts: 'wren', log }) }
}

describeUnless(absent, 'the embedded engines', () => {
  it(
    'recognise what they speak, and release everything',
    async () => {
      const { embedded, logged } = open()
      await embedded.warm()
      expect(logged).toEqual([])
      const text = 'Your appointment is on Tuesday at ten in the morning.'
      const voice = embedded.voices.pick({ voice: 'Joanna' })
      const frames = await said(embedded.synthesizer, text, { voice, rateHz: 8_000 })
      const heard = finalText(await listen(embedded, joined(frames), 8_000))
      expect(wordErrors(text, heard).errors).toBeLessThanOrEqual(1)
      expect((await embedded.embedder.embed([heard]))[0]?.length).toBe(384)
      await embedded.close()
      await expect(embedded.transcriber.transcribe(new Int16Array(16_000))).rejects.toThrow(
        'the speech recognizer is closed',
      )
    },
    slowMs,
  )

  it(
    'close while they are being warmed up',
    async () => {
      const { embedded, logged } = open()
      const warming = embedded.warm()
      await embedded.close()
      await warming
      expect(logged).toEqual([])
    },
    slowMs,
  )
})
