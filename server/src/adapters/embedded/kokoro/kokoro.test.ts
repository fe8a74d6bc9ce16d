// Kokoro, judged by ear: what it says is recognised back.
import { afterAll, expect, it } from 'vitest'
import { finalText, listen } from '../../../../test/props/engines/listen.ts'
import { modelsAtHand, modelsIfPresent } from '../../../../test/props/engines/models-at-hand.ts'
import { joined, said } from '../../../../test/props/engines/said.ts'
import { errorRate, wordErrors } from '../../../../test/props/engines/word-errors.ts'
import { describeUnless } from '../../../../test/props/unless.ts'
import { frameMs, samplesPerFrame } from '../../../media/frame.ts'
import { LevelMeter } from '../../../media/level.ts'
import { moonshine, silero } from '../models/catalogue.ts'
import { kokoro } from '../models/sets.ts'
import { moonshineTranscriber } from '../moonshine/moonshine.ts'
import { sileroDetector } from '../silero/silero.ts'
import { kokoroSynthesizer } from './kokoro.ts'

const { folder, absent: ears } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine)
const { absent: weights } = await modelsIfPresent(process.env.PARLEY_MODELS_DIR, ...kokoro)
const absent = ears ?? weights

// On a busy machine it is several times slower than real time.
const slowMs = 300_000

const sentences = [
  'Your appointment is on Tuesday at ten in the morning.',
  'Thank you very much for calling. Goodbye.',
] as const

describeUnless(absent, 'the natural voice', () => {
  const voice = kokoroSynthesizer({ folder })
  const detector = sileroDetector({ folder })
  const transcriber = moonshineTranscriber({ folder })
  afterAll(async () => {
    await voice.close()
    await transcriber.close()
    await detector.close()
  })

  it(
    'is intelligible over the telephone',
    async () => {
      await said(voice, 'Warm.', { voice: 'af_heart', rateHz: 8_000 })
      const counts = []
      let soundMs = 0
      let tookMs = 0
      for (const text of sentences) {
        const begunMs = performance.now()
        const frames = await said(voice, text, { voice: 'af_heart', rateHz: 8_000 })
        tookMs += performance.now() - begunMs
        soundMs += frames.length * frameMs
        counts.push(
          wordErrors(text, finalText(await listen({ transcriber, detector }, joined(frames), 8_000))),
        )
      }
      console.log(
        `the natural voice: recognised back with WER ${(100 * errorRate(counts)).toFixed(1)} %, ` +
          `${(tookMs / soundMs).toFixed(2)} of real time on one core`,
      )
      expect(errorRate(counts)).toBeLessThanOrEqual(0.1)
    },
    slowMs,
  )

  it(
    'has the level of a good telephone line, in whole frames',
    async () => {
      for (const name of ['af_heart', 'am_michael']) {
        const frames = await said(voice, 'Your appointment is on Tuesday.', { voice: name, rateHz: 24_000 })
        for (const { samples } of frames) expect(samples.length).toBe(samplesPerFrame(24_000))
        const meter = new LevelMeter()
        meter.add(joined(frames))
        expect(meter.rmsDb).toBeGreaterThan(-26)
        expect(meter.rmsDb).toBeLessThan(-16)
      }
    },
    slowMs,
  )

  it(
    'survives text that cannot be spoken',
    async () => {
      for (const text of ['', '…', '***', '中文', 'x'.repeat(120), 'constructor __proto__'])
        await said(voice, text, { voice: 'af_heart', rateHz: 8_000 })
    },
    slowMs,
  )
})
