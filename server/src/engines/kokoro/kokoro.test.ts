// Kokoro, judged by ear: what it says is recognised back.
import { afterAll, expect, it } from 'vitest'
import { finalText, listen } from '../../../test/props/engines/listen.ts'
import { loudnessLufs } from '../../../test/props/engines/loudness.ts'
import { modelsAtHand, modelsIfPresent } from '../../../test/props/engines/models-at-hand.ts'
import { joined, said } from '../../../test/props/engines/said.ts'
import { errorRate, wordErrors } from '../../../test/props/engines/word-errors.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import { samplesPerFrame } from '../../media/frame.ts'
import { moonshine, silero } from '../models/catalogue.ts'
import { kokoro } from '../models/sets.ts'
import { moonshineTranscriber } from '../moonshine/moonshine.ts'
import { sileroDetector } from '../silero/silero.ts'
import { kokoroSynthesizer } from './kokoro.ts'

const { folder, absent: ears } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine)
const { absent: weights } = await modelsIfPresent(process.env.PARLEY_MODELS_DIR, ...kokoro)
const absent = ears ?? weights

describeUnless(absent, 'the natural voice', () => {
  const voice = kokoroSynthesizer({ folder })
  const detector = sileroDetector({ folder })
  const transcriber = moonshineTranscriber({ folder })
  afterAll(async () => {
    await voice.close()
    await transcriber.close()
    await detector.close()
  })

  // A second of its sound takes a second of a core: one sentence serves both claims.
  it.each([
    ['af_heart', 'Your appointment is on Tuesday at ten in the morning.'],
    ['am_michael', 'Thank you very much for calling.'],
  ])('%s is intelligible over the telephone, at -23 LUFS, in whole frames', async (name, text) => {
    const frames = await said(voice, text, { voice: name, rateHz: 8_000 })
    for (const { samples } of frames) expect(samples.length).toBe(samplesPerFrame(8_000))
    const sound = joined(frames)
    expect(Math.abs(loudnessLufs(sound, 8_000) + 23)).toBeLessThanOrEqual(1)
    const heard = finalText(await listen({ transcriber, detector }, sound, 8_000))
    expect(errorRate([wordErrors(text, heard)])).toBeLessThanOrEqual(0.1)
  })

  it.each(['', '…', '***', '中文', 'xxxx', 'constructor'])('survives the text %j', async (text) => {
    await said(voice, text, { voice: 'af_heart', rateHz: 8_000 })
  })
})
