// The Silero v5 worker: many streams in one inference, each with its own recurrent state.
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { serveEngine } from '../engine/serve-engine.ts'
import {
  type Batch,
  contextSamples,
  type Probabilities,
  type SileroRateHz,
  windowSamples,
} from './silero-windows.ts'

export interface SileroPaths {
  readonly detector: string
}

interface Memory {
  readonly context: Float32Array
  readonly state: Float32Array
}

// The state of a stream: two layers of 128 numbers.
const layers = 2
const layerWidth = 128

const freshMemory = (rateHz: SileroRateHz): Memory => ({
  context: new Float32Array(contextSamples(rateHz)),
  state: new Float32Array(layers * layerWidth),
})

serveEngine<SileroPaths, Batch, Probabilities>(async ({ detector }) => {
  // One thread: a window takes a fraction of a millisecond, and the other cores carry calls.
  const session = await InferenceSession.create(detector, { intraOpNumThreads: 1, interOpNumThreads: 1 })
  const memories = new Map<number, Memory>()
  const rates = {
    8000: new Tensor('int64', [8_000n], []),
    16000: new Tensor('int64', [16_000n], []),
  } satisfies Record<SileroRateHz, Tensor>

  const memoryOf = (stream: number, rateHz: SileroRateHz) => {
    const memory = memories.get(stream) ?? freshMemory(rateHz)
    memories.set(stream, memory)
    return memory
  }

  return {
    async answer({ rateHz, streams, windows, gone }) {
      for (const stream of gone) memories.delete(stream)
      const count = streams.length
      if (count === 0) return new Float32Array(0)
      const members = streams.map((stream) => memoryOf(stream, rateHz))
      const { input, state } = lay(members, windows, rateHz)
      const { output, stateN } = await session.run({
        input: new Tensor('float32', input, [count, input.length / count]),
        state: new Tensor('float32', state, [layers, count, layerWidth]),
        sr: rates[rateHz],
      })
      remember(members, input, stateN?.data as Float32Array)
      return new Float32Array(output?.data as Float32Array)
    },
    moved: (probabilities) => [probabilities.buffer],
    release: () => session.release(),
  }
})

/** [stream][context, window] and [layer][stream][width]. */
function lay(members: readonly Memory[], windows: Float32Array, rateHz: SileroRateHz) {
  const context = contextSamples(rateHz)
  const window = windowSamples(rateHz)
  const input = new Float32Array(members.length * (context + window))
  const state = new Float32Array(layers * members.length * layerWidth)
  members.forEach((memory, place) => {
    const row = place * (context + window)
    input.set(memory.context, row)
    input.set(windows.subarray(place * window, (place + 1) * window), row + context)
    for (let layer = 0; layer < layers; layer++) {
      const width = memory.state.subarray(layer * layerWidth, (layer + 1) * layerWidth)
      state.set(width, (layer * members.length + place) * layerWidth)
    }
  })
  return { input, state }
}

function remember(members: readonly Memory[], input: Float32Array, state: Float32Array): void {
  const row = input.length / members.length
  members.forEach((memory, place) => {
    const end = (place + 1) * row
    memory.context.set(input.subarray(end - memory.context.length, end))
    for (let layer = 0; layer < layers; layer++) {
      const from = (layer * members.length + place) * layerWidth
      memory.state.set(state.subarray(from, from + layerWidth), layer * layerWidth)
    }
  })
}
