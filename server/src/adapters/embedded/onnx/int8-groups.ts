// A product of integers in groups of 128 along the inner dimension, each group with a scale of its own: fast on ARM.
//
//   MatMul(x, weights)   →   MatMulNBits(x, integers, scales)
import { byte, bytesOf, constantField, float, node, runtimeOperators } from './graph.ts'
import type { IntegerProduct, Matrix } from './int8-weights.ts'

const group = 128
const bits = 8
// Integers are stored with this added, and are at most `greatest` on both sides of it.
const middle = 128
const greatest = 127
// Computes in integers; the runtime's other levels widen the weights to floats.
const integerLevel = 4

export const inGroups: IntegerProduct = {
  depthStep: group,
  make(input, weights, output) {
    const { name, depth, width } = weights
    const { integers, scales } = quantise(weights)
    const names = { integers: `${name}.integers`, scales: `${name}.scales` }
    const groups = depth / group
    return [
      node(
        'MatMulNBits',
        [input.name, names.integers, names.scales],
        output,
        { K: depth, N: width, bits, block_size: group, accuracy_level: integerLevel },
        runtimeOperators,
      ),
      constantField({ name: names.integers, type: byte, dims: [width, groups, group], bytes: integers }),
      constantField({ name: names.scales, type: float, dims: [width * groups], bytes: bytesOf(scales) }),
    ]
  },
}

/** From [depth, width] to [width, groups, depth of a group]. */
function quantise({ depth, width, values }: Matrix) {
  const groups = depth / group
  const integers = new Uint8Array(depth * width)
  const scales = new Float32Array(width * groups)
  for (let row = 0; row < depth; row++)
    for (let column = 0; column < width; column++) {
      const place = column * groups + Math.floor(row / group)
      scales[place] = Math.max(
        scales[place] as number,
        Math.abs(values[row * width + column] as number) / greatest,
      )
    }
  for (let row = 0; row < depth; row++)
    for (let column = 0; column < width; column++) {
      const scale = scales[column * groups + Math.floor(row / group)] || 1
      integers[column * depth + row] = Math.round((values[row * width + column] as number) / scale) + middle
    }
  return { integers, scales }
}
