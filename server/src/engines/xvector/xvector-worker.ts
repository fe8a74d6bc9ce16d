// The x-vector worker: windows of speech in, a unit vector each out; and the clustering of all of them.
import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { serveEngine } from '../engine/serve-engine.ts'
import { coefficients, mfcc } from '../features/mfcc.ts'
import { chainModel } from '../onnx/chain.ts'
import { resampledSound } from '../voice/sound.ts'
import { centred } from './centred.ts'
import { groupVoices, type HeardVoice, type SpeakerBounds } from './group-voices.ts'
import { KaldiFile } from './kaldi-file.ts'
import { reachFrames, readNetwork, type XvectorNetwork } from './network.ts'

export interface XvectorPaths {
  readonly network: string
  readonly transform: string
  readonly mean: string
}

export interface VoiceWindows {
  readonly samples16k: Int16Array<ArrayBuffer>
  /** The windows, counted from the beginning of the samples. */
  readonly windows: readonly { readonly fromMs: number; readonly toMs: number }[]
}

export type VoiceVector = Float32Array<ArrayBuffer>

export interface VoicesToGroup {
  readonly voices: readonly HeardVoice[]
  readonly bounds: SpeakerBounds
}

export type XvectorQuestion =
  | { readonly want: 'vectors'; readonly of: VoiceWindows }
  | { readonly want: 'people'; readonly of: VoicesToGroup }

export type XvectorAnswer =
  | { readonly got: 'vectors'; readonly vectors: readonly VoiceVector[] }
  | { readonly got: 'people'; readonly people: readonly number[] }

const frameMs = 10

serveEngine<XvectorPaths, XvectorQuestion, XvectorAnswer>(async (paths) => {
  const network = readNetwork(await readFile(paths.network))
  const session = await InferenceSession.create(chainModel(network.frameLayers), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  })
  const whitened = whitening(await readFile(paths.transform), await readFile(paths.mean, 'utf8'))

  /** [channel][frame] */
  async function frameOutputs(frames: readonly Float32Array[]): Promise<Float32Array> {
    const count = frames.length + 2 * reachFrames
    const laid = new Float32Array(coefficients * count)
    for (let i = 0; i < count; i++) {
      // The first and last frames are repeated as padding.
      const frame = frames[Math.min(Math.max(i - reachFrames, 0), frames.length - 1)] as Float32Array
      for (let c = 0; c < coefficients; c++) laid[c * count + i] = frame[c] as number
    }
    const { outputs } = await session.run({ frames: new Tensor('float32', laid, [1, coefficients, count]) })
    return outputs?.data as Float32Array
  }

  async function vectorsOf({ samples16k, windows }: VoiceWindows): Promise<VoiceVector[]> {
    const frames = centred(mfcc(resampledSound(samples16k, 16_000, 8_000)))
    if (frames.length === 0) return []
    const outputs = await frameOutputs(frames)
    return windows.map(({ fromMs, toMs }) => {
      const from = Math.min(Math.floor(fromMs / frameMs), frames.length - 1)
      const to = Math.min(Math.max(Math.ceil(toMs / frameMs), from + 1), frames.length)
      return whitened(poolWindow(outputs, { from, to, frames: frames.length }, network.windowLayer))
    })
  }

  return {
    async answer({ want, of }) {
      return want === 'people'
        ? { got: 'people', people: groupVoices(of.voices, of.bounds) }
        : { got: 'vectors', vectors: await vectorsOf(of) }
    },
    release: () => session.release(),
  }
})

interface WindowPlace {
  readonly from: number
  /** The end, exclusive. */
  readonly to: number
  readonly frames: number
}

// The network's variance floor.
const smallestVariance = 1e-10

/** Statistics pooling: mean and standard deviation of a window's frames, through the last layer. */
function poolWindow(
  outputs: Float32Array,
  { from, to, frames }: WindowPlace,
  { weights, biases }: XvectorNetwork['windowLayer'],
): Float32Array {
  const channels = weights.columns / 2
  const pooled = new Float32Array(weights.columns)
  for (let channel = 0; channel < channels; channel++) {
    let [sum, squares] = [0, 0]
    for (let i = channel * frames + from; i < channel * frames + to; i++) {
      const value = outputs[i] as number
      sum += value
      squares += value * value
    }
    const mean = sum / (to - from)
    pooled[channel] = mean
    pooled[channels + channel] = Math.sqrt(Math.max(squares / (to - from) - mean * mean, smallestVariance))
  }
  return biases.map((bias, row) => {
    let total = bias
    for (let i = 0; i < weights.columns; i++)
      total += (weights.values[row * weights.columns + i] as number) * (pooled[i] as number)
    return total
  })
}

/**
 * Whitens a vector and scales it to unit length, so that a dot product is a cosine similarity. `mean` is a vector in
 * Kaldi's text format: ` [ 4.45 4.67 … ]`.
 */
function whitening(transformFile: Buffer, mean: string): (vector: Float32Array) => Float32Array<ArrayBuffer> {
  const { rows, columns, values } = new KaldiFile(transformFile).matrix()
  const middle = (mean.match(/[^\s[\]]+/g) ?? []).map(Number)
  return (vector) => {
    const turned = new Float32Array(rows)
    for (let row = 0; row < rows; row++) {
      let sum = 0
      for (let i = 0; i < columns; i++)
        sum += (values[row * columns + i] as number) * ((vector[i] as number) - (middle[i] as number))
      turned[row] = sum
    }
    const length = Math.hypot(...turned)
    return turned.map((value) => value / length)
  }
}
