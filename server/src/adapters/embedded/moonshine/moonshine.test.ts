// The recognizer on real speech: correct words, growing partials, and no words in noise or silence.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { clipsAbsent, framesOf, overTelephone, readClips } from '../../../../test/props/engines/clips.ts'
import { type Ears, finalText, listen } from '../../../../test/props/engines/listen.ts'
import { modelsAtHand } from '../../../../test/props/engines/models-at-hand.ts'
import { errorRate, wordErrors } from '../../../../test/props/engines/word-errors.ts'
import { moonshine, silero } from '../models/catalogue.ts'
import { sileroDetector } from '../silero/silero.ts'
import { moonshineTranscriber } from './moonshine.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine)
const skipped = absent ?? clipsAbsent
const clips = readClips()
const spoken = clips.filter(({ said }) => said !== '')

// When turn-taking asks for the final after the voice has ended.
const finalizeAfterMs = 180

/** In real time, from the end of the voice in the audio to its final. */
async function finalAfterMs({ transcriber, detector }: Ears, clip: Int16Array): Promise<number> {
  const samples = new Int16Array(clip.length + 16_000)
  samples.set(clip)
  const stream = transcriber.open(
    { model: 'moonshine', rateHz: 16_000, endpointingMs: 5_000 },
    AbortSignal.timeout(60_000),
  )
  const begunMs = performance.now()
  let endedMs = 0
  let waitedMs = Number.NaN
  const voice = detector.open(16_000, (event) => {
    stream.hear?.(event)
    if (event.type === 'speech-start') endedMs = 0
    if (event.type === 'speech-end') endedMs = event.atMs
    if (event.type === 'probability' && endedMs > 0 && event.atMs >= endedMs + finalizeAfterMs)
      stream.finalize?.()
  })
  const read = (async () => {
    for await (const event of stream)
      if (event.type === 'final') waitedMs = performance.now() - begunMs - endedMs
  })()
  for (const [place, frame] of framesOf(samples, 16_000).entries()) {
    await sleep(Math.max(0, begunMs + place * 20 - performance.now()))
    stream.write(frame)
    voice.write(frame)
  }
  stream.finish()
  voice.close()
  await read
  return waitedMs
}

// Loading takes seconds, and other tests may keep both cores busy.
const slowMs = 180_000

describe.skipIf(skipped)(skipped ? `skipped: ${skipped}` : 'the speech recognizer', () => {
  const detector = sileroDetector({ folder })
  const transcriber = moonshineTranscriber({ folder })
  const ears = { transcriber, detector }
  afterAll(async () => {
    await transcriber.close()
    await detector.close()
  })

  it.each([
    ['16 kHz', 16_000 as const, (samples: Int16Array) => samples],
    ['8 kHz µ-law', 8_000 as const, overTelephone],
  ])(
    'has a word error rate of at most 15 % at %s',
    async (name, rateHz, carried) => {
      const counts = []
      const begunMs = performance.now()
      for (const { said, samples } of spoken) {
        const heard = finalText(await listen(ears, carried(samples), rateHz))
        counts.push(wordErrors(said, heard))
      }
      const tookMs = performance.now() - begunMs
      const soundMs = spoken.reduce((sum, { samples }) => sum + samples.length / 16, 0)
      console.log(
        `speech to text at ${name}: WER ${(100 * errorRate(counts)).toFixed(1)} %, ` +
          `${(tookMs / soundMs).toFixed(2)} of real time with voice activity and partials`,
      )
      expect(errorRate(counts)).toBeLessThanOrEqual(0.15)
    },
    slowMs,
  )

  it(
    'emits growing partials between the start and the end of speech',
    async () => {
      const jfk = clips.find(({ name }) => name === 'jfk')?.samples ?? new Int16Array()
      const stream = transcriber.open({ model: 'moonshine', rateHz: 16_000 }, AbortSignal.timeout(60_000))
      const voice = detector.open(16_000, (event) => stream.hear(event))
      const types: string[] = []
      const lengths: number[] = []
      const read = (async () => {
        for await (const event of stream) {
          if (event.type !== types.at(-1)) types.push(event.type)
          if (event.type === 'partial') lengths.push(event.text.length)
        }
      })()
      // In real time: partials are made while there is time.
      for (const frame of framesOf(jfk.subarray(0, 5 * 16_000), 16_000)) {
        stream.write(frame)
        voice.write(frame)
        await sleep(20)
      }
      stream.finish()
      voice.close()
      await read
      expect(types[0]).toBe('speech-started')
      expect(types.at(-1)).toBe('speech-ended')
      expect(types).toContain('partial')
      expect(types).toContain('final')
      expect(lengths.at(-1)).toBeGreaterThanOrEqual(lengths[0] ?? 0)
    },
    slowMs,
  )

  it(
    'has the final soon after finalize',
    async () => {
      const waits: number[] = []
      for (const { samples } of spoken.filter(({ name }) => name.startsWith('sb_spk1')))
        waits.push(await finalAfterMs(ears, samples))
      const sorted = waits.toSorted((a, b) => a - b)
      console.log(
        `speech to text: the final comes ${sorted[Math.floor(sorted.length / 2)]?.toFixed(0)} ms (median; ` +
          `${sorted.at(-1)?.toFixed(0)} at most) after the voice ended, of sentences of about 2 s`,
      )
      expect(waits.every(Number.isFinite)).toBe(true)
    },
    slowMs,
  )

  it('transcribes a single segment', async () => {
    const clip = clips.find(({ name }) => name === 'sb_spk1_snt5')
    const { text } = await transcriber.transcribe(clip?.samples ?? new Int16Array())
    expect(wordErrors(clip?.said ?? '', text).errors).toBeLessThanOrEqual(1)
  })

  it('returns no text for a segment too short for a word', async () => {
    expect(await transcriber.transcribe(new Int16Array(100))).toEqual({ text: '' })
    expect(await transcriber.transcribe(new Int16Array(0))).toEqual({ text: '' })
  })

  it('finds no words in silence', async () => {
    expect(await listen(ears, new Int16Array(3 * 8_000), 8_000)).toEqual([])
  })

  it(
    'finds no words in noise',
    async () => {
      for (const { samples } of clips.filter(({ said }) => said === ''))
        expect(finalText(await listen(ears, overTelephone(samples), 8_000))).toBe('')
    },
    slowMs,
  )

  it('ends quietly when the call ends', async () => {
    const call = new AbortController()
    const stream = transcriber.open({ model: 'moonshine', rateHz: 8_000 }, call.signal)
    setTimeout(() => call.abort(), 30)
    for await (const _ of stream);
    stream.write({ samples: new Int16Array(160), rateHz: 8_000 })
  })
})

it.skipIf(absent)('a stream reports that its detector failed', async () => {
  const transcriber = moonshineTranscriber({ folder })
  const stream = transcriber.open({ model: 'moonshine', rateHz: 8_000 }, new AbortController().signal)
  stream.hear({ type: 'failed', reason: 'the voice detector is closed' })
  const read = async () => {
    for await (const _ of stream);
  }
  await expect(read()).rejects.toThrow('the voice detector is closed')
})

it.skipIf(absent)('a stream fails with one sentence when its engine is closed', async () => {
  const transcriber = moonshineTranscriber({ folder })
  const stream = transcriber.open({ model: 'moonshine', rateHz: 8_000 }, new AbortController().signal)
  await transcriber.close()
  stream.write({ samples: new Int16Array(160), rateHz: 8_000 })
  stream.hear({ type: 'speech-start', atMs: 0 })
  stream.finalize()
  const read = async () => {
    for await (const _ of stream);
  }
  await expect(read()).rejects.toThrow('the speech recognizer is closed')
})

it.skipIf(absent)(
  'a process that exits during a recognition exits with its own code',
  async () => {
    const program = `
      import { moonshineTranscriber } from ${JSON.stringify(new URL('./moonshine.ts', import.meta.url).href)}
      const transcriber = moonshineTranscriber({ folder: ${JSON.stringify(folder)} })
      await transcriber.transcribe(new Int16Array(16_000))
      void transcriber.transcribe(Int16Array.from({ length: 160_000 }, (_, i) => 9_000 * Math.sin(i / 9)))
      setTimeout(() => process.exit(7), 30)
    `
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'ignore' })
    expect(await once(child, 'exit')).toEqual([7, null])
  },
  slowMs,
)
