// The recognizer on real speech: correct words, growing partials, and no words in noise or silence.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, expect, it } from 'vitest'
import { clipsAbsent, framesOf, overTelephone, readClips } from '../../../test/props/engines/clips.ts'
import { type Ears, finalText, finalWords, listen } from '../../../test/props/engines/listen.ts'
import { modelsAtHand } from '../../../test/props/engines/models-at-hand.ts'
import { errorRate, wordErrors } from '../../../test/props/engines/word-errors.ts'
import { describeUnless, itUnless } from '../../../test/props/unless.ts'
import { settled } from '../../../test/props/virtual-clock/outstanding-work.ts'
import { frameMs } from '../../media/frame.ts'
import { moonshine, silero } from '../models/catalogue.ts'
import { sileroDetector } from '../silero/silero.ts'
import { sileroWindowMs } from '../silero/silero-windows.ts'
import { moonshineTranscriber } from './moonshine.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine)
const skipped = absent ?? clipsAbsent
const clips = readClips()
const spoken = clips.filter(({ said }) => said !== '')

// When turn-taking asks for the final after the voice has ended.
const finalizeAfterMs = 180
const never = new AbortController().signal

const samplesOf = (wanted: string): Int16Array =>
  clips.find(({ name }) => name === wanted)?.samples ?? expect.fail(wanted)

/** A second of silence follows the voice, on the virtual clock: how much sound goes by between its end and its words. */
async function finalAfterMs({ transcriber, detector }: Ears, clip: Int16Array): Promise<number> {
  const samples = new Int16Array(clip.length + 16_000)
  samples.set(clip)
  const stream = transcriber.open({ model: 'moonshine', rateHz: 16_000, endpointingMs: 5_000 }, never)
  let writtenMs = 0
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
    for await (const event of stream) if (event.type === 'final') waitedMs = writtenMs - endedMs
  })()
  for (const frame of framesOf(samples, 16_000)) {
    stream.write(frame)
    voice.write(frame)
    writtenMs += frameMs
    await settled()
  }
  stream.finish()
  voice.close()
  await read
  return waitedMs
}

// Loading takes seconds, and other tests may keep both cores busy.
const slowMs = 180_000

describeUnless(skipped, 'the speech recognizer', () => {
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
    'gets at most 8 words of 100 wrong at %s',
    async (name, rateHz, carried) => {
      const counts = []
      for (const { said, samples } of spoken) {
        const heard = finalText(await listen(ears, carried(samples), rateHz))
        counts.push(wordErrors(said, heard))
      }
      console.log(`speech to text at ${name}: WER ${(100 * errorRate(counts)).toFixed(1)} %`)
      expect(errorRate(counts)).toBeLessThanOrEqual(0.08)
    },
    slowMs,
  )

  it(
    'emits growing partials between the start and the end of speech',
    async () => {
      const stream = transcriber.open({ model: 'moonshine', rateHz: 16_000, endpointingMs: 500 }, never)
      const voice = detector.open(16_000, (event) => stream.hear(event))
      const types: string[] = []
      const lengths: number[] = []
      const read = (async () => {
        for await (const event of stream) {
          if (event.type !== types.at(-1)) types.push(event.type)
          if (event.type === 'partial') lengths.push(event.text.length)
        }
      })()
      for (const frame of framesOf(samplesOf('lv_0870').subarray(0, 5 * 16_000), 16_000)) {
        stream.write(frame)
        voice.write(frame)
        await settled()
      }
      stream.finish()
      voice.close()
      await read
      expect(types[0]).toBe('speech-started')
      expect(types.at(-1)).toBe('speech-ended')
      expect(types).toContain('partial')
      expect(types).toContain('final')
      expect(lengths.length).toBeGreaterThan(3)
      expect(lengths.at(-1)).toBeGreaterThan(lengths[0] ?? 0)
    },
    slowMs,
  )

  it(
    'has the final as soon as it is wanted, long before its own silence',
    async () => {
      // An edge is certain three windows later, and the final is asked for with the next window after its time.
      const knownAfterMs = finalizeAfterMs + 2 * sileroWindowMs + frameMs
      for (const name of ['lv_0880', 'lv_0930'])
        expect(await finalAfterMs(ears, samplesOf(name)), name).toBeLessThanOrEqual(knownAfterMs)
    },
    slowMs,
  )

  it(
    'says when each word was said, if that is wanted',
    async () => {
      const samples = overTelephone(samplesOf('lv_0930'))
      const events = await listen(ears, samples, 8_000, { wordTimes: true, isLive: true })
      const words = finalWords(events)
      expect(words.map(({ text }) => text.trim()).join(' ')).toBe(finalText(events))
      for (const [place, { startMs, endMs }] of words.entries()) {
        expect(endMs).toBeGreaterThan(startMs)
        expect(startMs).toBeGreaterThanOrEqual(words[place - 1]?.startMs ?? -200)
      }
      expect(words.at(-1)?.endMs).toBeLessThanOrEqual(samples.length / 8 + 400)
      const without = await listen(ears, samples, 8_000)
      expect(finalText(without)).toBe(finalText(events))
      expect(finalWords(without)).toEqual([])
    },
    slowMs,
  )

  it('transcribes one segment as it is', async () => {
    const clip = clips.find(({ name }) => name === 'lv_0930')
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
    const stream = transcriber.open({ model: 'moonshine', rateHz: 8_000, endpointingMs: 500 }, call.signal)
    setTimeout(() => call.abort(), 30)
    for await (const _ of stream);
    stream.write({ samples: new Int16Array(160), rateHz: 8_000 })
  })
})

itUnless(absent, 'a stream whose detector fails says so', async () => {
  const transcriber = moonshineTranscriber({ folder })
  const stream = transcriber.open(
    { model: 'moonshine', rateHz: 8_000, endpointingMs: 500 },
    new AbortController().signal,
  )
  stream.hear({ type: 'failed', reason: 'the voice detector is closed' })
  const read = async () => {
    for await (const _ of stream);
  }
  await expect(read()).rejects.toThrow('the voice detector is closed')
})

itUnless(absent, 'a stream whose engine is closed fails with one sentence', async () => {
  const transcriber = moonshineTranscriber({ folder })
  const stream = transcriber.open(
    { model: 'moonshine', rateHz: 8_000, endpointingMs: 500 },
    new AbortController().signal,
  )
  await transcriber.close()
  stream.write({ samples: new Int16Array(160), rateHz: 8_000 })
  stream.hear({ type: 'speech-start', atMs: 0 })
  stream.finalize()
  const read = async () => {
    for await (const _ of stream);
  }
  await expect(read()).rejects.toThrow('the speech recognizer is closed')
})

itUnless(
  absent,
  'a process that exits in the middle of a recognition exits with its own code',
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
