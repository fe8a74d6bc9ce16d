// Statistics pooling: mean and standard deviation of a window's frames, through the last layer.
import type { XvectorNetwork } from './network.ts'

export interface WindowPlace {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** Total number of frames. */
  readonly frames: number
}

// The network's variance floor.
const smallestVariance = 1e-10

export function poolWindow(
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
