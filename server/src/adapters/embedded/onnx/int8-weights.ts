// Rewrites a network so that its large matrix products are computed with integers of 8 bits: the weights are quantised
// here, once, and the other factor by the runtime. A row's result does not depend on the rows beside it, so a network
// that decodes in pieces gives the same as for the whole.
//
//   Cast(weights of half precision); MatMul(x, weights)   →   the nodes of a product of integers
import {
  type Constant,
  graphConstant,
  graphNode,
  halfFloat,
  inputsOf,
  modelGraph,
  operatorOf,
  operatorSet,
  outputOf,
  readConstant,
  runtimeOperators,
} from './graph.ts'
import { changed, type Field, readFields, writeFields } from './protobuf.ts'

// Smaller products take little time.
const fewestWeights = 65_536

/** Nodes and constants that compute `output` = `input` · weights. */
export interface IntegerProduct {
  /** The depth of the weights must be a multiple of it. */
  readonly depthStep: number
  make(input: Factor, weights: Matrix, output: string): readonly Field[]
}

export interface Factor {
  readonly name: string
  /** It comes from a GELU, so no value is below -0.17. */
  readonly isGelu: boolean
}

/** By rows: [depth, width]. */
export interface Matrix {
  readonly name: string
  readonly depth: number
  readonly width: number
  readonly values: Float32Array
}

/** `except`: weights that stay as they are. */
export function withInt8Weights(
  model: Uint8Array,
  product: IntegerProduct,
  except: readonly string[] = [],
): Uint8Array {
  const fields = changed(readFields(model), modelGraph, (graph) => quantised(graph, product, except))
  return writeFields([...fields, operatorSet(runtimeOperators, 1)])
}

function quantised(
  graph: readonly Field[],
  product: IntegerProduct,
  except: readonly string[],
): readonly Field[] {
  const stored = new Map<string, Constant>()
  const halves = new Map<string, string>()
  for (const field of graph) {
    if (field.number === graphConstant) {
      const constant = readConstant(field)
      stored.set(constant.name, constant)
    } else if (field.number === graphNode && operatorOf(field) === 'Cast')
      halves.set(outputOf(field), inputsOf(field)[0] ?? '')
  }
  const makers = new Map(
    graph.filter(({ number }) => number === graphNode).map((field) => [outputOf(field), field]),
  )
  const replaced = new Set<string>()
  const rewritten = graph.flatMap((field) => {
    if (field.number !== graphNode || operatorOf(field) !== 'MatMul') return [field]
    const [input = '', weights = ''] = inputsOf(field)
    const half = stored.get(halves.get(weights) ?? '')
    if (!half || !isLarge(half, product) || except.includes(weights)) return [field]
    replaced.add(weights).add(half.name)
    return product.make({ name: input, isGelu: isGelu(input, makers) }, matrixOf(half), outputOf(field))
  })
  return rewritten.filter(
    (field) =>
      !(field.number === graphNode && replaced.has(outputOf(field))) &&
      !(field.number === graphConstant && replaced.has(readConstant(field).name)),
  )
}

const isLarge = ({ type, dims: [depth = 0, width = 0] }: Constant, { depthStep }: IntegerProduct) =>
  type === halfFloat && depth % depthStep === 0 && depth * width >= fewestWeights

/** As networks are stored, it is x · (1 + erf(x / √2)) / 2: an error function with products and sums after it. */
function isGelu(name: string, makers: ReadonlyMap<string, Field>): boolean {
  const maker = makers.get(name)
  const operator = maker && operatorOf(maker)
  if (!maker || operator === 'Erf') return operator === 'Erf'
  return (operator === 'Mul' || operator === 'Add') && inputsOf(maker).some((each) => isGelu(each, makers))
}

const matrixOf = ({ name, dims: [depth = 0, width = 0], bytes }: Constant): Matrix => ({
  ...{ name, depth, width },
  values: Float32Array.from(new Float16Array(Uint8Array.from(bytes).buffer)),
})
