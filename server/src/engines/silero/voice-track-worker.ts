// The Silero v5 worker for recordings: many consecutive windows of one recording per request.
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { levelDb } from '../../media/level.ts'
import { serveEngine } from '../engine/serve-engine.ts'
import { inputGain, loudnessDb } from './input-gain.ts'
import { contextSamples, windowSamples } from './silero-windows.ts'
import type { SileroPaths } from './silero-worker.ts'

/** The state carried over from the previous block. */
export interface TrackMemory {
  readonly context: Float32Array
  readonly state: Float32Array
  readonly loudDb: number
}

export interface TrackBlock {
  /** The samples at 16 kHz, in whole windows. */
  readonly samples: Int16Array<ArrayBuffer>
  readonly memory: TrackMemory | undefined
}

export interface HeardBlock {
  /** Probability of speech per window. */
  readonly probabilities: Float32Array<ArrayBuffer>
  readonly levelsDb: Float32Array<ArrayBuffer>
  readonly memory: TrackMemory
}

const rateHz = 16_000
const window = windowSamples(rateHz)
const context = contextSamples(rateHz)
const stateShape = [2, 1, 128] as const
// The level of the hiss of a good converter. Anything softer is skipped as silence, so a day of it takes seconds.
const inaudibleDb = -75

serveEngine<SileroPaths, TrackBlock, HeardBlock>(async ({ detector }) => {
  const session = await InferenceSession.create(detector, { intraOpNumThreads: 1, interOpNumThreads: 1 })
  const rate = new Tensor('int64', [BigInt(rateHz)], [])

  async function hear(input: Float32Array, state: Float32Array) {
    const { output, stateN } = await session.run({
      input: new Tensor('float32', input, [1, input.length]),
      state: new Tensor('float32', state, stateShape),
      sr: rate,
    })
    const told = output?.data as Float32Array | undefined
    return { probability: told?.[0] ?? 0, state: stateN?.data as Float32Array }
  }

  return {
    async answer({ samples, memory }, signal) {
      const windows = Array.from({ length: samples.length / window }, (_, place) =>
        samples.subarray(place * window, (place + 1) * window),
      )
      const levelsDb = Float32Array.from(windows, levelDb)
      const loudDb = loudnessDb(levelsDb, memory?.loudDb)
      const gain = inputGain(loudDb) / 32_768
      const probabilities = new Float32Array(windows.length)
      // The end of the previous window, then the window.
      const input = new Float32Array(context + window)
      input.set(memory?.context ?? [], window)
      let state: Float32Array = memory?.state ?? new Float32Array(256)
      for (const [place, own] of windows.entries()) {
        signal.throwIfAborted()
        input.copyWithin(0, window)
        for (let i = 0; i < window; i++) input[context + i] = (own[i] as number) * gain
        if ((levelsDb[place] as number) < inaudibleDb) continue
        const heard = await hear(input, state)
        probabilities[place] = heard.probability
        state = heard.state
      }
      const kept = { context: input.slice(window), state: Float32Array.from(state), loudDb }
      return { probabilities, levelsDb, memory: kept }
    },
    moved: ({ probabilities, levelsDb }) => [probabilities.buffer, levelsDb.buffer],
    release: () => session.release(),
  }
})
