// The x-vector network: five frame-level layers, statistics pooling over a window, one more layer.
import { coefficients } from '../features/mfcc.ts'
import type { ChainLayer } from '../onnx/chain.ts'
import { KaldiFile, type KaldiMatrix } from './kaldi-file.ts'

export interface XvectorNetwork {
  readonly frameLayers: readonly ChainLayer[]
  /** From mean and standard deviation of the last frame layer to the vector. */
  readonly windowLayer: { readonly weights: KaldiMatrix; readonly biases: Float32Array }
}

/** Batch normalisation of a layer's outputs, folded into the next layer. */
interface Norm {
  readonly scales: Float32Array
  readonly shifts: Float32Array
}

const shapes = [
  { name: 'tdnn1', taps: 5, spacing: 1 },
  { name: 'tdnn2', taps: 3, spacing: 2 },
  { name: 'tdnn3', taps: 3, spacing: 3 },
  { name: 'tdnn4', taps: 1, spacing: 1 },
  { name: 'tdnn5', taps: 1, spacing: 1 },
] as const

/** The context frames on either side. */
export const reachFrames = shapes.reduce((sum, { taps, spacing }) => sum + ((taps - 1) / 2) * spacing, 0)

const unchanged = (width: number): Norm => ({
  scales: new Float32Array(width).fill(1),
  shifts: new Float32Array(width),
})

export function readNetwork(bytes: Buffer): XvectorNetwork {
  const file = new KaldiFile(bytes)
  let norm = unchanged(coefficients)
  const frameLayers = shapes.map(({ name, taps, spacing }) => {
    const { weights, biases } = readAffine(file, name)
    const inputs = weights.columns / taps
    const layer: ChainLayer = {
      inputs,
      outputs: weights.rows,
      taps,
      spacing,
      weights: byInput(weights, taps, norm),
      biases: shifted(weights, biases, repeated(norm.shifts, taps)),
    }
    norm = readNorm(file, name)
    return layer
  })
  return { frameLayers, windowLayer: readWindowLayer(file, norm) }
}

function readAffine(file: KaldiFile, name: string) {
  const weights = file.find(`<ComponentName> ${name}.affine`).find('<LinearParams>').matrix()
  return { weights, biases: file.find('<BiasParams>').vector() }
}

function readNorm(file: KaldiFile, name: string): Norm {
  file.find(`<ComponentName> ${name}.batchnorm`)
  const epsilon = file.find('<Epsilon>').float()
  const target = file.find('<TargetRms>').float()
  const means = file.find('<StatsMean>').vector()
  const variances = file.find('<StatsVar>').vector()
  const scales = variances.map((variance) => target / Math.sqrt(variance + epsilon))
  return { scales, shifts: means.map((mean, i) => -mean * (scales[i] as number)) }
}

/** The standard deviation is scaled like the mean, but never shifted. */
function readWindowLayer(file: KaldiFile, { scales, shifts }: Norm): XvectorNetwork['windowLayer'] {
  const { weights, biases } = readAffine(file, 'tdnn6')
  const none = new Float32Array(shifts.length)
  const scaled = weights.values.map((weight, i) => weight * (scales[i % scales.length] as number))
  return {
    weights: { ...weights, values: scaled },
    biases: shifted(weights, biases, Float32Array.from([...shifts, ...none])),
  }
}

/** Kaldi's rows are [tap][input]; ONNX expects [input][tap]. */
function byInput({ rows, columns, values }: KaldiMatrix, taps: number, { scales }: Norm): Float32Array {
  const inputs = columns / taps
  const turned = new Float32Array(values.length)
  for (let row = 0; row < rows; row++)
    for (let tap = 0; tap < taps; tap++)
      for (let input = 0; input < inputs; input++) {
        const weight = (values[row * columns + tap * inputs + input] as number) * (scales[input] as number)
        turned[row * columns + input * taps + tap] = weight
      }
  return turned
}

const repeated = (values: Float32Array, times: number): Float32Array =>
  Float32Array.from({ length: values.length * times }, (_, i) => values[i % values.length] as number)

/** The contribution of the inputs' shift to every output. */
const shifted = (
  { columns, values }: KaldiMatrix,
  biases: Float32Array,
  shifts: Float32Array,
): Float32Array =>
  biases.map((bias, row) => {
    let sum = bias
    for (let i = 0; i < columns; i++) sum += (values[row * columns + i] as number) * (shifts[i] as number)
    return sum
  })
