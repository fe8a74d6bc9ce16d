// The synthesizer, judged by ear: what it says is recognised back, and its level and gaps are measured.
import { afterAll, expect, it } from 'vitest'
import { finalText, listen } from '../../../../test/props/engines/listen.ts'
import { modelsAtHand } from '../../../../test/props/engines/models-at-hand.ts'
import { joined, said } from '../../../../test/props/engines/said.ts'
import { errorRate, wordErrors } from '../../../../test/props/engines/word-errors.ts'
import { describeUnless } from '../../../../test/props/unless.ts'
import { type Frame, frameMs, type RateHz, samplesPerFrame } from '../../../media/frame.ts'
import { LevelMeter } from '../../../media/level.ts'
import { flite, moonshine, silero } from '../models/catalogue.ts'
import { moonshineTranscriber } from '../moonshine/moonshine.ts'
import { sileroDetector } from '../silero/silero.ts'
import { fliteSynthesizer } from './flite.ts'
import { voiceGain } from './voices.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, flite)

const slowMs = 120_000
const never = new AbortController().signal

const spoken = [
  'Hello, this is the front desk. How can I help you today?',
  'Your appointment is on Tuesday at ten in the morning.',
  'I am sorry, we do not have a table for two people tonight.',
  'Could you please tell me your name and your phone number?',
  'Thank you very much for calling. Goodbye.',
]

function levelDb(samples: Int16Array): number {
  const meter = new LevelMeter()
  meter.add(samples)
  return meter.rmsDb
}

/** Duration of each stretch of quiet frames. */
function gapsMs(frames: readonly Frame[]): number[] {
  const gaps: number[] = []
  let gapMs = 0
  for (const { samples } of frames) {
    if (levelDb(samples) < -55) gapMs += frameMs
    else {
      if (gapMs > 0) gaps.push(gapMs)
      gapMs = 0
    }
  }
  return gapMs > 0 ? [...gaps, gapMs] : gaps
}

describeUnless(absent, 'the speech synthesizer', () => {
  const voice = fliteSynthesizer({ folder })
  const detector = sileroDetector({ folder })
  const transcriber = moonshineTranscriber({ folder })
  afterAll(async () => {
    await voice.close()
    await transcriber.close()
    await detector.close()
  })

  const say = (text: string, rateHz: RateHz = 16_000, name = 'slt') =>
    said(voice, text, { voice: name, rateHz })

  it.each([16_000, 8_000] as const)(
    'is intelligible at %i Hz',
    async (rateHz) => {
      const counts = []
      for (const text of spoken) {
        const heard = finalText(
          await listen({ transcriber, detector }, joined(await say(text, rateHz)), rateHz),
        )
        counts.push(wordErrors(text, heard))
      }
      console.log(
        `text to speech at ${rateHz} Hz: recognised back with WER ${(100 * errorRate(counts)).toFixed(1)} %`,
      )
      expect(errorRate(counts)).toBeLessThanOrEqual(0.2)
    },
    slowMs,
  )

  it.each([8_000, 16_000, 24_000, 48_000] as const)('yields whole frames at %i Hz', async (rateHz) => {
    const frames = await say('One two three.', rateHz)
    expect(frames.length).toBeGreaterThan(30)
    for (const frame of frames) {
      expect(frame.rateHz).toBe(rateHz)
      expect(frame.samples.length).toBe(samplesPerFrame(rateHz))
    }
  })

  it.each(Object.keys(voiceGain))('the voice %s has the level of a good telephone line', async (name) => {
    const samples = joined(await say(spoken[1] ?? '', 16_000, name))
    expect(levelDb(samples)).toBeGreaterThan(-24)
    expect(levelDb(samples)).toBeLessThan(-16)
    expect(Math.max(...samples)).toBeLessThan(32_767)
  })

  it('starts immediately and pauses between sentences, but not at the end', async () => {
    const frames = await say('Good morning. Good evening.')
    const gaps = gapsMs(frames)
    expect(levelDb(joined(frames.slice(0, 4)))).toBeGreaterThan(-55)
    expect(Math.max(...gaps)).toBeGreaterThanOrEqual(240)
    expect(Math.max(...gaps)).toBeLessThan(400)
    expect(levelDb(joined(frames.slice(-8)))).toBeGreaterThan(-55)
  })

  it('yields the first frame before the last sentence is synthesized', async () => {
    await say('Warm.')
    const long = Array.from({ length: 20 }, (_, i) => `This is sentence number ${i}.`).join(' ')
    const begunMs = performance.now()
    let firstMs = 0
    for await (const _ of voice.synthesize(long, { voice: 'slt', rateHz: 8_000 }, never)) {
      firstMs ||= performance.now() - begunMs
    }
    const allMs = performance.now() - begunMs
    console.log(
      `text to speech: first frame after ${firstMs.toFixed(0)} ms, 20 sentences after ${allMs.toFixed(0)} ms`,
    )
    expect(firstMs).toBeLessThan(allMs / 4)
  })

  it('stops when the caller interrupts', async () => {
    const caller = new AbortController()
    let frames = 0
    for await (const _ of voice.synthesize(
      spoken.join(' '),
      { voice: 'slt', rateHz: 8_000 },
      caller.signal,
    )) {
      if (++frames === 10) caller.abort()
    }
    expect(frames).toBe(10)
  })

  it('yields nothing for empty text', async () => {
    expect(await say('')).toEqual([])
    expect(await say(' … ')).toEqual([])
  })

  it.each([
    '-t -o /etc/passwd',
    'a',
    '<speak>Wait.<break time="1s"/></speak>',
    '%s%n%x',
    '1234567890123456789012345678901234567890',
    '$1,234.56 at 10:45 on 12/31/2026',
    'http://a.example/b?c=d&e=f',
    'x'.repeat(250),
  ])('survives %.40j', async (text) => {
    expect((await say(text)).length).toBeGreaterThan(5)
  })

  it('falls back to the default voice for an unknown name', async () => {
    const known = joined(await say('Hello there.', 8_000, 'slt'))
    expect(joined(await say('Hello there.', 8_000, 'a voice of another vendor'))).toEqual(known)
  })
})
