// What the networks of wren are made of on each kind of processor. How they sound then is in wave-decoding.test.ts.
import { expect, it } from 'vitest'
import { readFields } from '../../platform/protobuf.ts'
import { graphNode, modelGraph, operatorOf } from '../onnx/graph.ts'
import { streamedBlocks } from './wave-blocks.ts'
import { readWeights, suitedTo } from './wren-model.ts'

/** How often each operator occurs. */
function operatorsIn(model: Uint8Array): Record<string, number> {
  const graph = readFields(model).find(({ number }) => number === modelGraph)?.value as Uint8Array
  const counts: Record<string, number> = {}
  for (const field of readFields(graph))
    if (field.number === graphNode) counts[operatorOf(field)] = (counts[operatorOf(field)] ?? 0) + 1
  return counts
}

it.each([
  ['floats', { MatMul: 16, Conv: 8 }],
  ['integers', { MatMulIntegerToFloat: 16, FastGelu: 8, Conv: 8 }],
] as const)(
  'in %s, the blocks have products of that kind, and one node for a convolution',
  async (arithmetic, own) => {
    const blocks = streamedBlocks(await readWeights('wave.onnx'))
    const counts = operatorsIn(suitedTo(arithmetic, blocks))
    const { MatMul, Conv, MatMulIntegerToFloat, FastGelu } = counts
    expect(JSON.parse(JSON.stringify({ MatMul, Conv, MatMulIntegerToFloat, FastGelu }))).toEqual(own)
    // Seven slices, products and sums of each block are one node, and what they needed is gone.
    expect(counts.Slice).toBe((operatorsIn(blocks).Slice ?? 0) - 7 * 8)
  },
)
