// Rewrites a quantised decoder so that its last product, which scores every token, is computed with integers of 8 bits.
//
// The decoder has one matrix of integers for what tokens mean and for their scores. As exported, every step transposes it
// and widens it to floats before the product, which takes longer than all of the layers together.
//
//   Transpose(matrix); DequantizeLinear(…, scale, zero point); MatMul(x, …)   →   MatMulNBits(x, matrix, scales, zeros)

import { changed, type Field, readFields, writeFields } from '../../platform/protobuf.ts'
import {
  byte,
  bytesOf,
  type Constant,
  constantField,
  float,
  graphConstant,
  graphNode,
  inputsOf,
  modelGraph,
  node,
  operatorOf,
  operatorSet,
  outputOf,
  readConstant,
  runtimeOperators,
  scalarOf,
  withBranches,
} from './graph.ts'

const scores = 'logits'
// The width of one scale; it divides the width of every decoder here.
const group = 32
// The level at which the other factor is quantised too, in groups of its own; the runtime's other levels widen the
// matrix to floats.
const integerLevel = 4

const names = { matrix: 'head.matrix', scales: 'head.scales', zeros: 'head.zeros' }

export function withInt8Head(model: Uint8Array): Uint8Array {
  const fields = changed(readFields(model), modelGraph, rewritten)
  return writeFields([...fields, operatorSet(runtimeOperators, 1)])
}

function rewritten(graph: readonly Field[]): readonly Field[] {
  const constants = new Map(
    graph.filter(({ number }) => number === graphConstant).map((field) => [readConstant(field).name, field]),
  )
  let parts: Parts | undefined
  const branches = withBranches(graph, (branch) => {
    parts = partsOf(branch)
    return withProduct(branch, parts, constants)
  })
  return parts ? [...branches, ...headConstants(parts, constants)] : graph
}

/** The nodes that are replaced, and the names of the constants that they read. */
interface Parts {
  readonly replaced: readonly Field[]
  readonly input: string
  readonly matrix: string
  readonly scale: string
  readonly zero: string
}

function partsOf(branch: readonly Field[]): Parts {
  const nodes = branch.filter(({ number }) => number === graphNode)
  const maker = (name: string, operator: string): Field => {
    const found = nodes.find((each) => outputOf(each) === name && operatorOf(each) === operator)
    if (!found) throw new Error(`the decoder has no ${operator} that makes ${name}`)
    return found
  }
  const product = maker(scores, 'MatMul')
  const [input = '', widened = ''] = inputsOf(product)
  const widening = maker(widened, 'DequantizeLinear')
  const [turned = '', scale = '', zero = ''] = inputsOf(widening)
  const turning = maker(turned, 'Transpose')
  const [matrix = ''] = inputsOf(turning)
  return { replaced: [product, widening, turning], input, matrix, scale, zero }
}

function withProduct(
  branch: readonly Field[],
  { replaced, input, matrix }: Parts,
  constants: ReadonlyMap<string, Field>,
): readonly Field[] {
  const [tokens, width] = matrixOf(matrix, constants).dims as [number, number]
  const inputs = [input, names.matrix, names.scales, names.zeros]
  const shape = { K: width, N: tokens, bits: 8, block_size: group, accuracy_level: integerLevel }
  return [
    ...branch.filter((field) => !replaced.includes(field)),
    node('MatMulNBits', inputs, scores, shape, runtimeOperators),
  ]
}

function headConstants(
  { matrix, scale, zero }: Parts,
  constants: ReadonlyMap<string, Field>,
): readonly Field[] {
  const { dims, bytes } = matrixOf(matrix, constants)
  const [tokens, width] = dims as [number, number]
  const groups = width / group
  const scales = new Float32Array(tokens * groups).fill(scalarOf(known(scale, constants)))
  const zeros = new Uint8Array(tokens * groups).fill(scalarOf(known(zero, constants)))
  return [
    constantField({ name: names.matrix, type: byte, dims: [tokens, groups, group], bytes }),
    constantField({ name: names.scales, type: float, dims: [scales.length], bytes: bytesOf(scales) }),
    constantField({ name: names.zeros, type: byte, dims: [zeros.length], bytes: zeros }),
  ]
}

function matrixOf(name: string, constants: ReadonlyMap<string, Field>): Constant {
  const matrix = readConstant(known(name, constants))
  if (matrix.type !== byte || matrix.dims.length !== 2 || (matrix.dims[1] ?? 0) % group !== 0)
    throw new Error(`${name} is no matrix of bytes in groups of ${group}`)
  return matrix
}

function known(name: string, constants: ReadonlyMap<string, Field>): Field {
  const field = constants.get(name)
  if (!field) throw new Error(`the decoder has no constant ${name}`)
  return field
}
