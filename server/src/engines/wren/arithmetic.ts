// How the networks of wren are computed on this processor: what is fastest and sounds the same (docs/decisions/0025).
import { readFileSync } from 'node:fs'
import { withInt8Weights } from '../onnx/int8-weights.ts'
import { withOneConvolution } from '../onnx/one-convolution.ts'

/** How products with large matrices are computed. */
export type Arithmetic = 'floats' | 'integers'

export const ownArithmetic = (): Arithmetic =>
  process.arch === 'arm64' || multipliesBytes() ? 'integers' : 'floats'

/** Whether the processor has VNNI; only Linux says so in a file. */
function multipliesBytes(): boolean {
  if (process.arch !== 'x64' || process.platform !== 'linux') return false
  try {
    return /\bavx(?:512)?_vnni\b/.test(readFileSync('/proc/cpuinfo', 'utf8'))
  } catch {
    return false
  }
}

export const suitedTo = (arithmetic: Arithmetic, model: Uint8Array): Uint8Array =>
  withOneConvolution(arithmetic === 'integers' ? withInt8Weights(model) : model)
