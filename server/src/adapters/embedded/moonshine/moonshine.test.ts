// The recognizer on real speech: words right, partials growing, and nothing heard in noise or silence.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { moonshine, silero } from '../models/catalogue.ts'
import { clipsAbsent, framesOf, overTelephone, readClips } from '../proof/clips.ts'
import { finalText, listen, watched } from '../proof/listen.ts'
import { modelsAtHand } from '../proof/models-at-hand.ts'
import { errorRate, wordErrors } from '../proof/word-errors.ts'
import { sileroDetector } from '../silero/silero.ts'
import { moonshineTranscriber } from './moonshine.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine)
const skipped = absent ?? clipsAbsent
const clips = readClips()
const spoken = clips.filter(({ said }) => said !== '')

// Loading takes seconds, and two cores may be busy with other tests.
const slowMs = 180_000

describe.skipIf(skipped)(skipped ? `skipped: ${skipped}` : 'the speech recognizer', () => {
  const detector = watched(sileroDetector({ folder }))
  const transcriber = moonshineTranscriber({ folder }, detector)
  afterAll(async () => {
    await transcriber.close()
    await detector.close()
  })

  it.each([
    ['16 kHz', 16_000 as const, (samples: Int16Array) => samples],
    ['8 kHz µ-law', 8_000 as const, overTelephone],
  ])(
    'gets at most 15 words of 100 wrong at %s',
    async (name, rateHz, carried) => {
      const counts = []
      const begunMs = performance.now()
      for (const { said, samples } of spoken) {
        const heard = finalText(await listen(transcriber, detector, carried(samples), rateHz))
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
    'tells partials that grow, between the start and the end of speech',
    async () => {
      const jfk = clips.find(({ name }) => name === 'jfk')?.samples ?? new Int16Array()
      const stream = transcriber.open({ model: 'moonshine', rateHz: 16_000 }, AbortSignal.timeout(60_000))
      const types: string[] = []
      const lengths: number[] = []
      const read = (async () => {
        for await (const event of stream) {
          if (event.type !== types.at(-1)) types.push(event.type)
          if (event.type === 'partial') lengths.push(event.text.length)
        }
      })()
      // At the pace of a call: partials are made while there is time.
      for (const frame of framesOf(jfk.subarray(0, 5 * 16_000), 16_000)) {
        stream.write(frame)
        await sleep(20)
      }
      stream.finish()
      await read
      expect(types[0]).toBe('speech-started')
      expect(types.at(-1)).toBe('speech-ended')
      expect(types).toContain('partial')
      expect(types).toContain('final')
      expect(lengths.at(-1)).toBeGreaterThanOrEqual(lengths[0] ?? 0)
    },
    slowMs,
  )

  it('transcribes one segment as it is', async () => {
    const clip = clips.find(({ name }) => name === 'sb_spk1_snt5')
    const { text } = await transcriber.transcribe(clip?.samples ?? new Int16Array())
    expect(wordErrors(clip?.said ?? '', text).errors).toBeLessThanOrEqual(1)
  })

  it('answers a segment too short for a word with no text', async () => {
    expect(await transcriber.transcribe(new Int16Array(100))).toEqual({ text: '' })
    expect(await transcriber.transcribe(new Int16Array(0))).toEqual({ text: '' })
  })

  it('hears nothing in silence', async () => {
    expect(await listen(transcriber, detector, new Int16Array(3 * 8_000), 8_000)).toEqual([])
  })

  it(
    'hears no words in noise',
    async () => {
      for (const { samples } of clips.filter(({ said }) => said === ''))
        expect(finalText(await listen(transcriber, detector, overTelephone(samples), 8_000))).toBe('')
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

it.skipIf(absent)('a stream whose engine is closed fails with one sentence', async () => {
  const detector = sileroDetector({ folder })
  const transcriber = moonshineTranscriber({ folder }, detector)
  const stream = transcriber.open({ model: 'moonshine', rateHz: 8_000 }, new AbortController().signal)
  await Promise.all([transcriber.close(), detector.close()])
  const read = async () => {
    for await (const _ of stream);
  }
  await expect(read()).rejects.toThrow('the voice detector is closed')
})

it.skipIf(absent)(
  'a process that exits in the middle of a recognition exits with its own code',
  async () => {
    const program = `
      import { moonshineTranscriber } from ${JSON.stringify(new URL('./moonshine.ts', import.meta.url).href)}
      const silent = { open: () => ({ write() {}, close() {} }), close: async () => {} }
      const transcriber = moonshineTranscriber({ folder: ${JSON.stringify(folder)} }, silent)
      await transcriber.transcribe(new Int16Array(16_000))
      void transcriber.transcribe(Int16Array.from({ length: 160_000 }, (_, i) => 9_000 * Math.sin(i / 9)))
      setTimeout(() => process.exit(7), 30)
    `
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'ignore' })
    expect(await once(child, 'exit')).toEqual([7, null])
  },
  slowMs,
)
