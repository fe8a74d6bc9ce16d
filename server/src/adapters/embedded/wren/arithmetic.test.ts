// What the networks of wren are made of on each kind of processor. How they sound then is in wave-decoding.test.ts.
import { expect, it } from 'vitest'
import { graphNode, modelGraph, operatorOf } from '../onnx/graph.ts'
import { readFields } from '../onnx/protobuf.ts'
import { type Arithmetic, suitedTo } from './arithmetic.ts'
import { streamedWave } from './streamed-wave.ts'
import { readWeights } from './weights.ts'

/** How often each operator occurs. */
function operatorsIn(model: Uint8Array): Record<string, number> {
  const graph = readFields(model).find(({ number }) => number === modelGraph)?.value as Uint8Array
  const counts: Record<string, number> = {}
  for (const field of readFields(graph))
    if (field.number === graphNode) counts[operatorOf(field)] = (counts[operatorOf(field)] ?? 0) + 1
  return counts
}

it.each([
  [{ products: 'floats', oneConvolution: false }, {}],
  [{ products: 'floats', oneConvolution: true }, { Conv: 8 }],
  [{ products: 'groups', oneConvolution: false }, { MatMulNBits: 16 }],
  [
    { products: 'rows', oneConvolution: true },
    { MatMulIntegerToFloat: 16, Conv: 8 },
  ],
] as const satisfies readonly (readonly [Arithmetic, Record<string, number>])[])(
  'with %j, the layer of the spectrum and the Fourier transforms stay as they are',
  async (arithmetic, own) => {
    const wave = streamedWave(await readWeights('wave.onnx'))
    const stored = operatorsIn(wave)
    const counts = operatorsIn(suitedTo(arithmetic, wave, ['onnx::MatMul_2379', 'fc', 'fs', 'ic', 'is_']))
    const { Conv, MatMulNBits, MatMulIntegerToFloat } = counts
    expect(JSON.parse(JSON.stringify({ Conv, MatMulNBits, MatMulIntegerToFloat }))).toEqual(own)
    expect(counts.MatMul).toBe((stored.MatMul ?? 0) - (arithmetic.products === 'floats' ? 0 : 16))
    // Seven slices, products and sums of each block are one node, and what they needed is gone.
    if (arithmetic.oneConvolution) expect(counts.Slice).toBeLessThan((stored.Slice ?? 0) - 7 * 8)
  },
)
