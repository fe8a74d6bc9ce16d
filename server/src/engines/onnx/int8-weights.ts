// Rewrites a network so that its large matrix products are computed with integers of 8 bits: the weights are quantised
// here, once, and the other factor by the runtime. A row's result does not depend on the rows beside it, so a network
// that decodes in pieces gives the same as for the whole. Each GELU becomes a fast one, which loses less than the integers.
//
//   Cast(weights of half precision); MatMul(x, weights)   →   the nodes of a product of integers

import { changed, type Field, readFields, writeFields } from '../../platform/protobuf.ts'
import {
  type Constant,
  constantsIn,
  floatsOf,
  graphNode,
  halfFloat,
  inputsOf,
  modelGraph,
  node,
  operatorOf,
  operatorSet,
  outputOf,
  runtimeOperators,
  withoutUnused,
} from './graph.ts'
import { integerProduct, type WeightMatrix } from './int8-rows.ts'

// Smaller products take little time.
const fewestWeights = 65_536

export function withInt8Weights(model: Uint8Array): Uint8Array {
  const fields = changed(readFields(model), modelGraph, quantised)
  return writeFields([...fields, operatorSet(runtimeOperators, 1)])
}

function quantised(original: readonly Field[]): readonly Field[] {
  const graph = withFastGelu(original)
  const stored = constantsIn(graph)
  const makers = new Map(
    graph.filter(({ number }) => number === graphNode).map((field) => [outputOf(field), field]),
  )
  const made = (name: string, operator: string): Field | undefined => {
    const maker = makers.get(name)
    return maker && operatorOf(maker) === operator ? maker : undefined
  }
  const rewritten = graph.flatMap((field) => {
    if (field.number !== graphNode || operatorOf(field) !== 'MatMul') return [field]
    const [input = '', weights = ''] = inputsOf(field)
    const cast = made(weights, 'Cast')
    const half = cast && stored.get(inputsOf(cast)[0] ?? '')
    if (!half || !isLarge(half)) return [field]
    const isGelu = made(input, 'FastGelu') !== undefined
    return integerProduct({ name: input, isGelu }, matrixOf(half), outputOf(field))
  })
  return withoutUnused(rewritten)
}

const isLarge = ({ type, dims: [depth = 0, width = 0] }: Constant) =>
  type === halfFloat && depth * width >= fewestWeights

function matrixOf(constant: Constant): WeightMatrix {
  const { name, dims } = constant
  const [depth = 0, width = 0] = dims
  return { name, depth, width, values: floatsOf(constant) }
}

/** Replaces each GELU by a fast node; the nodes that made it stay in the graph without use. */
function withFastGelu(graph: readonly Field[]): readonly Field[] {
  const nodes = graph.filter(({ number }) => number === graphNode)
  const makers = new Map(nodes.map((field) => [outputOf(field), field]))
  return graph.map((field) => {
    const input = field.number === graphNode ? geluInput(field, makers) : undefined
    return input === undefined ? field : node('FastGelu', [input], outputOf(field), {}, runtimeOperators)
  })
}

/** The input of a GELU; undefined if the node is not the last of one. */
function geluInput(last: Field, makers: ReadonlyMap<string, Field>): string | undefined {
  const product = makers.get(inputsOf(last)[0] ?? '')
  if (!product || operatorOf(last) !== 'Mul' || operatorOf(product) !== 'Mul') return undefined
  const [input, sum = ''] = inputsOf(product)
  let before = sum
  for (const operator of ['Add', 'Erf', 'Div']) {
    const maker = makers.get(before)
    if (!maker || operatorOf(maker) !== operator) return undefined
    before = inputsOf(maker)[0] ?? ''
  }
  return before === input ? input : undefined
}
