// How the networks of wren are computed on this processor: what is fastest and sounds the same (docs/decisions/0075).
import { readFileSync } from 'node:fs'
import { inGroups } from '../onnx/int8-groups.ts'
import { inRows } from '../onnx/int8-rows.ts'
import { withInt8Weights } from '../onnx/int8-weights.ts'
import { withOneConvolution } from '../onnx/one-convolution.ts'

export interface Arithmetic {
  /** Of large matrices. */
  readonly products: 'floats' | 'groups' | 'rows'
  /** The runtime's fast convolution is for x64. */
  readonly oneConvolution: boolean
}

export function ownArithmetic(): Arithmetic {
  if (process.arch === 'arm64') return { products: 'groups', oneConvolution: false }
  return { products: multipliesBytes() ? 'rows' : 'floats', oneConvolution: process.arch === 'x64' }
}

/** Whether the processor has VNNI; only Linux says so in a file. */
function multipliesBytes(): boolean {
  if (process.arch !== 'x64' || process.platform !== 'linux') return false
  try {
    return /\bavx(?:512)?_vnni\b/.test(readFileSync('/proc/cpuinfo', 'utf8'))
  } catch {
    return false
  }
}

/** `inFloats`: weights that stay floats. */
export function suitedTo(
  { products, oneConvolution }: Arithmetic,
  model: Uint8Array,
  inFloats: readonly string[],
): Uint8Array {
  const integers = { groups: inGroups, rows: inRows, floats: undefined }[products]
  const multiplied = integers ? withInt8Weights(model, integers, inFloats) : model
  return oneConvolution ? withOneConvolution(multiplied) : multiplied
}
