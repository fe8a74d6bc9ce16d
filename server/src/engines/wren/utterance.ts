// The result of wren's first network, which the second one decodes.
import type { Tensor } from 'onnxruntime-node'

/** A sentence that is ready to be decoded. */
export interface Utterance {
  /** The frames of the speech, without most of the silence around it. */
  readonly fromFrame: number
  readonly toFrame: number
  readonly frames: number
  /** For each sound, the number of frames before it. */
  readonly framesBefore: readonly number[]
  readonly style: Tensor
  readonly features: Float32Array
  readonly f0: Float32Array
  readonly phase: Float32Array
}
