// Rewrites a network so that a convolution along the frames, channel by channel, is one node. As it is stored, it is
// a sum of slices:
//
//   bias + padded[0:] · w0 + padded[1:] · w1 + …   →   Conv(padded, [w0 w1 …], bias)
//
// The runtime has a fast convolution for channels in blocks, on x64, and puts them into blocks by itself.

import { changed, type Field, readFields, writeFields } from '../../platform/protobuf.ts'
import {
  bytesOf,
  type Constant,
  constant,
  constantField,
  constantsIn,
  float,
  floatsOf,
  graphNode,
  inputsOf,
  modelGraph,
  node,
  operatorOf,
  outputOf,
  withoutUnused,
} from './graph.ts'

interface Sum {
  readonly padded: string
  readonly bias: string
  readonly taps: readonly Constant[]
}

export const withOneConvolution = (model: Uint8Array): Uint8Array =>
  writeFields(changed(readFields(model), modelGraph, joined))

function joined(graph: readonly Field[]): readonly Field[] {
  const vectors = new Map(
    [...constantsIn(graph)].filter(([, { type, dims }]) => type === float && dims.length === 1),
  )
  const sums = sumsIn(graph, vectors)
  const replaced = graph.flatMap((field) => {
    const sum = field.number === graphNode ? sums.get(outputOf(field)) : undefined
    return sum ? convolution(sum, outputOf(field)) : [field]
  })
  return withoutUnused([...replaced, constant(widthAxis, 2n)])
}

/** The sums by their outputs; those that are part of a longer one are left out. */
function sumsIn(graph: readonly Field[], vectors: ReadonlyMap<string, Constant>): ReadonlyMap<string, Sum> {
  const slices = new Map<string, string>()
  const products = new Map<string, { readonly padded: string; readonly tap: Constant }>()
  const sums = new Map<string, Sum>()
  for (const field of graph) {
    if (field.number !== graphNode) continue
    const [one = '', other = ''] = inputsOf(field)
    const operator = operatorOf(field)
    if (operator === 'Slice') slices.set(outputOf(field), one)
    const [padded, tap] = [slices.get(one), vectors.get(other)]
    if (operator === 'Mul' && padded && tap) products.set(outputOf(field), { padded, tap })
    const product = operator === 'Add' ? products.get(other) : undefined
    if (!product) continue
    const before = sums.get(one)
    if (before?.padded === product.padded) {
      sums.delete(one)
      sums.set(outputOf(field), { ...before, taps: [...before.taps, product.tap] })
    } else if (vectors.has(one))
      sums.set(outputOf(field), { padded: product.padded, bias: one, taps: [product.tap] })
  }
  return sums
}

const widthAxis = 'convolution.axis'

/** The convolution, over [1, frames, channels] as an image of one column: [1, channels, frames, 1]. */
function convolution({ padded, bias, taps }: Sum, output: string): Field[] {
  const channels = taps[0]?.dims[0] ?? 0
  const named = (part: string) => `${output}.${part}`
  return [
    node('Unsqueeze', [padded, widthAxis], named('column')),
    node('Transpose', [named('column')], named('image'), { perm: [0, 3, 1, 2] }),
    node('Conv', [named('image'), named('weights'), bias], named('sum'), { group: channels }),
    node('Transpose', [named('sum')], named('frames'), { perm: [0, 2, 3, 1] }),
    node('Squeeze', [named('frames'), widthAxis], output),
    constantField({
      name: named('weights'),
      type: float,
      dims: [channels, 1, taps.length, 1],
      bytes: bytesOf(byChannel(taps, channels)),
    }),
  ]
}

function byChannel(taps: readonly Constant[], channels: number): Float32Array {
  const weights = new Float32Array(channels * taps.length)
  for (const [place, tap] of taps.entries())
    for (const [channel, value] of floatsOf(tap).entries()) weights[channel * taps.length + place] = value
  return weights
}
