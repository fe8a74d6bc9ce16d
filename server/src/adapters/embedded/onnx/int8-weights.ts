// Rewrites a network so that its large matrix products are computed with integers of 8 bits.
//
// Both factors are quantised in groups of 128 along the inner dimension, each group with a scale of its own: the weights
// here, once, and the other factor by the runtime, row by row. A row's result does not depend on the rows beside it, so a
// network that decodes in pieces gives the same as for the whole.
//
//   Cast(weights of half precision); MatMul(x, weights)   →   MatMulNBits(x, integers, scales)
import {
  byte,
  bytesOf,
  type Constant,
  constantField,
  float,
  graphConstant,
  graphNode,
  halfFloat,
  inputsOf,
  modelGraph,
  node,
  operatorOf,
  operatorSet,
  outputOf,
  readConstant,
} from './graph.ts'
import { changed, type Field, readFields, writeFields } from './protobuf.ts'

const runtimeOperators = 'com.microsoft'
const group = 128
const bits = 8
// Integers are stored with this added, and are at most `greatest` on both sides of it.
const middle = 128
const greatest = 127
// Computes in integers; the runtime's other levels widen the weights to floats.
const integerLevel = 4
// Smaller products take little time.
const fewestWeights = 65_536

/** `except`: weights that stay as they are. */
export function withInt8Weights(model: Uint8Array, except: readonly string[] = []): Uint8Array {
  const fields = changed(readFields(model), modelGraph, (graph) => quantised(graph, except))
  return writeFields([...fields, operatorSet(runtimeOperators, 1)])
}

function quantised(graph: readonly Field[], except: readonly string[]): readonly Field[] {
  const stored = new Map<string, Constant>()
  const halves = new Map<string, string>()
  for (const field of graph) {
    if (field.number === graphConstant) {
      const constant = readConstant(field)
      stored.set(constant.name, constant)
    } else if (field.number === graphNode && operatorOf(field) === 'Cast')
      halves.set(outputOf(field), inputsOf(field)[0] ?? '')
  }
  const replaced = new Set<string>()
  const rewritten = graph.flatMap((field) => {
    if (field.number !== graphNode || operatorOf(field) !== 'MatMul') return [field]
    const [input = '', weights = ''] = inputsOf(field)
    const half = stored.get(halves.get(weights) ?? '')
    if (!half || !isLarge(half) || except.includes(weights)) return [field]
    replaced.add(weights).add(half.name)
    return product(input, half, outputOf(field))
  })
  return rewritten.filter(
    (field) =>
      !(field.number === graphNode && replaced.has(outputOf(field))) &&
      !(field.number === graphConstant && replaced.has(readConstant(field).name)),
  )
}

const isLarge = ({ type, dims: [depth = 0, width = 0] }: Constant) =>
  type === halfFloat && depth % group === 0 && depth * width >= fewestWeights

function product(input: string, half: Constant, output: string): Field[] {
  const [depth = 0, width = 0] = half.dims
  const { integers, scales } = quantise(new Float16Array(Uint8Array.from(half.bytes).buffer), depth, width)
  const names = { integers: `${half.name}.integers`, scales: `${half.name}.scales` }
  const groups = depth / group
  return [
    node(
      'MatMulNBits',
      [input, names.integers, names.scales],
      output,
      { K: depth, N: width, bits, block_size: group, accuracy_level: integerLevel },
      runtimeOperators,
    ),
    constantField({ name: names.integers, type: byte, dims: [width, groups, group], bytes: integers }),
    constantField({ name: names.scales, type: float, dims: [width * groups], bytes: bytesOf(scales) }),
  ]
}

/** From [depth, width] to [width, groups, depth of a group]. */
function quantise(weights: Float16Array, depth: number, width: number) {
  const groups = depth / group
  const integers = new Uint8Array(depth * width)
  const scales = new Float32Array(width * groups)
  const all = Float32Array.from(weights)
  for (let row = 0; row < depth; row++)
    for (let column = 0; column < width; column++) {
      const place = column * groups + Math.floor(row / group)
      scales[place] = Math.max(
        scales[place] as number,
        Math.abs(all[row * width + column] as number) / greatest,
      )
    }
  for (let row = 0; row < depth; row++)
    for (let column = 0; column < width; column++) {
      const scale = scales[column * groups + Math.floor(row / group)] || 1
      integers[column * depth + row] = Math.round((all[row * width + column] as number) / scale) + middle
    }
  return { integers, scales }
}
