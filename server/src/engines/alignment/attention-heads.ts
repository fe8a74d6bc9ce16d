// The attention heads of a decoder that track the audio: they map tokens to time.
import type { Tensor } from 'onnxruntime-node'

export interface Head {
  readonly layer: number
  readonly head: number
}

/** Mean attention of these heads in the last step; each tensor is [1, heads, steps, frames]. */
export function attendedTo(
  heads: readonly Head[],
  tensorOf: (layer: number) => Tensor | undefined,
  frames?: number,
): Float32Array {
  let mean: Float32Array | undefined
  for (const { layer, head } of heads) {
    const tensor = tensorOf(layer)
    if (!tensor) throw new Error(`the decoder has no attention in layer ${layer}`)
    const [, , steps = 1, width = 0] = tensor.dims
    const data = tensor.data as Float32Array
    const from = (head * steps + steps - 1) * width
    mean ??= new Float32Array(Math.min(frames ?? width, width))
    for (let i = 0; i < mean.length; i++)
      mean[i] = (mean[i] as number) + (data[from + i] as number) / heads.length
  }
  return mean ?? new Float32Array()
}
