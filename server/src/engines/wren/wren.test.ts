// The default voice, judged by ear: what it says is recognised back; its loudness, its seams and its melody are measured.
import { afterAll, expect, it } from 'vitest'
import { overTelephone } from '../../../test/props/engines/clips.ts'
import { finalText, listen } from '../../../test/props/engines/listen.ts'
import { loudnessLufs } from '../../../test/props/engines/loudness.ts'
import { modelsAtHand } from '../../../test/props/engines/models-at-hand.ts'
import { pitches } from '../../../test/props/engines/pitch.ts'
import { joined, said } from '../../../test/props/engines/said.ts'
import { errorRate, wordErrors } from '../../../test/props/engines/word-errors.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import { clicksMs } from '../../../test/support/recording/clicks.ts'
import { type Frame, frameMs, makeFrame, type RateHz, samplesPerFrame } from '../../media/frame.ts'
import { LevelMeter } from '../../media/level.ts'
import { moonshine, silero } from '../models/catalogue.ts'
import { pronunciation } from '../models/kokoro.ts'
import { moonshineTranscriber } from '../moonshine/moonshine.ts'
import { sileroDetector } from '../silero/silero.ts'
import { pauseAfterMs } from '../voice/speak.ts'
import { wrenVoiceNames } from './voices.ts'
import { wrenSynthesizer } from './wren.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)

const spoken = [
  'Hello, this is the front desk. How can I help you today?',
  'Your appointment is on Tuesday at ten in the morning.',
  'I am sorry, we do not have a table for two people tonight.',
  'Could you please tell me your name and your phone number?',
  'Thank you very much for calling. Goodbye.',
] as const

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

describeUnless(absent, 'the default voice', () => {
  const voice = wrenSynthesizer({ folder })
  const detector = sileroDetector({ folder })
  const transcriber = moonshineTranscriber({ folder })
  afterAll(async () => {
    await voice.close()
    await transcriber.close()
    await detector.close()
  })

  const say = (text: string, rateHz: RateHz = 16_000, name = 'heart') =>
    said(voice, text, { voice: name, rateHz })

  it.each(wrenVoiceNames)('%s is understood over a telephone line', async (name) => {
    const counts = []
    for (const text of spoken) {
      const line = overTelephone(joined(await say(text, 8_000, name)), 8_000)
      counts.push(wordErrors(text, finalText(await listen({ transcriber, detector }, line, 8_000))))
    }
    console.log(`${name}: recognised back with WER ${(100 * errorRate(counts)).toFixed(1)} %`)
    expect(errorRate(counts)).toBeLessThanOrEqual(0.06)
  })

  it.each(wrenVoiceNames)('%s has -23 LUFS, whatever the rate of the line', async (name) => {
    for (const rateHz of [8_000, 16_000, 24_000] as const) {
      const samples = joined(await say(spoken.join(' '), rateHz, name))
      const lufs = loudnessLufs(samples, rateHz)
      console.log(`${name} at ${rateHz} Hz: ${lufs.toFixed(1)} LUFS`)
      expect(Math.abs(lufs + 23)).toBeLessThanOrEqual(1)
      expect(samples.findIndex((sample) => Math.abs(sample) >= 32_767)).toBe(-1)
    }
  })

  it.each([8_000, 16_000, 24_000, 48_000] as const)('yields whole frames at %i Hz', async (rateHz) => {
    const frames = await say('One two three.', rateHz)
    expect(frames.length).toBeGreaterThan(30)
    for (const frame of frames) {
      expect(frame.rateHz).toBe(rateHz)
      expect(frame.samples.length).toBe(samplesPerFrame(rateHz))
    }
  })

  it('says the same text the same way every time', async () => {
    expect(joined(await say('Hello there.'))).toEqual(joined(await say('Hello there.')))
  })

  it('starts immediately and pauses between sentences, but not at the end', async () => {
    const frames = await say('Good morning. Good evening.')
    const longest = Math.max(...gapsMs(frames))
    expect(levelDb(joined(frames.slice(0, 4)))).toBeGreaterThan(-55)
    expect(longest).toBeGreaterThanOrEqual(240)
    expect(longest).toBeLessThan(500)
    expect(levelDb(joined(frames.slice(-8)))).toBeGreaterThan(-55)
  })

  it.each(wrenVoiceNames)(
    '%s begins and ends without a click, with a sound that is loud at once',
    async (name) => {
      for (const rateHz of [8_000, 24_000] as const) {
        const silence = new Int16Array(rateHz / 10)
        const sound = joined(await say('Good.', rateHz, name))
        expect(clicksMs(Int16Array.of(...silence, ...sound, ...silence), rateHz)).toEqual([])
      }
    },
  )

  it('pauses at a comma where a sentence is cut as it does inside of one', async () => {
    const [clause, rest] = ['If you have your invoice at hand,', 'please give me the number.']
    const whole = Math.max(...gapsMs(await say(`${clause} ${rest}`)))
    const pause = Array.from({ length: pauseAfterMs(clause) / frameMs }, () => makeFrame(16_000))
    const cut = Math.max(...gapsMs([...(await say(clause)), ...pause, ...(await say(rest))]))
    console.log(`pause at a comma: ${whole} ms inside, ${cut} ms where it is cut`)
    expect(Math.abs(cut - whole)).toBeLessThanOrEqual(100)
  })

  it('at its end a question rises, a statement falls, and a clause that goes on stays up', async () => {
    const bends: Record<string, number> = {}
    for (const mark of ['?', '.', ',']) {
      const semitones = []
      for (const name of wrenVoiceNames)
        for (const text of [
          'Do you want to book it for tomorrow',
          'Is that the right number',
          'Are you there',
        ])
          semitones.push(endBend(joined(await say(`${text}${mark}`, 8_000, name))))
      bends[mark] = semitones.reduce((sum, bend) => sum + bend, 0) / semitones.length
    }
    const { '?': question = 0, '.': statement = 0, ',': clause = 0 } = bends
    expect(question).toBeGreaterThan(0)
    expect(statement).toBeLessThan(-2)
    expect(clause).toBeGreaterThan(statement + 1)
    expect(clause).toBeLessThan(question)
  })

  it('stops when the caller interrupts', async () => {
    const caller = new AbortController()
    const options = { voice: 'heart', rateHz: 8_000 } as const
    let frames = 0
    for await (const _ of voice.synthesize(spoken.join(' '), options, caller.signal))
      if (++frames === 10) caller.abort()
    expect(frames).toBe(10)
    expect((await say('Good.')).length).toBeGreaterThan(5)
  })

  it('yields nothing for empty text', async () => {
    expect(await say('')).toEqual([])
    expect(await say(' … ')).toEqual([])
    expect(await say('<speak><break time="1s"/></speak>')).toEqual([])
  })

  it.each([
    '-t -o /etc/passwd',
    'a',
    '<speak>Hello.<break time="1s"/></speak>',
    '%s%n%x',
    '1234567890123456789012345678901234567890',
    '$1,234.56 at 10:45 on 12/31/2026',
    'http://a.example/b?c=d&e=f',
    'x'.repeat(250),
  ])('survives %j', async (text) => {
    expect((await say(text)).length).toBeGreaterThan(5)
  })

  it('falls back to the default voice for an unknown name', async () => {
    const known = joined(await say('Hello there.', 8_000, 'heart'))
    expect(joined(await say('Hello there.', 8_000, 'a voice of another vendor'))).toEqual(known)
  })
})

/** Semitones between the pitch of the last voiced 150 ms and that of the sentence; medians, which octave errors do not move. */
function endBend(samples: Int16Array): number {
  const found = pitches(samples, 8_000)
  return 12 * Math.log2(median(found.slice(-15)) / median(found))
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 1
