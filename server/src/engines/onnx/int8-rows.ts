// A product of integers with one scale for each row of the input and each column of the weights: fast on ARM, and on x64
// processors that multiply and add bytes in one instruction (VNNI). Without it the runtime's sums of bytes overflow there.
//
//   MatMul(x, weights)   →   most = max |x| of each row;   MatMulIntegerToFloat(x / most, integers) · most
//
// What comes from a GELU is nearly all positive. It is lifted above zero, so that all bytes are used, and what the
// lift adds to the result is taken away again.

import type { Field } from '../../platform/protobuf.ts'
import { byte, bytesOf, constantField, float, node, runtimeOperators, signedByte } from './graph.ts'

const greatest = 127
// Bytes of the input have no sign: zero is in their middle, or is the least of them where no value is below zero.
const middle = 128
const greatestByte = 255
const geluLift = 0.17
// The divisor of a row of zeros.
const least = 1e-9

interface Factor {
  readonly name: string
  /** Whether the input comes from a GELU, so that no value is below -0.17. */
  readonly isGelu: boolean
}

/** A matrix by rows: [depth, width]. */
export interface WeightMatrix {
  readonly name: string
  readonly depth: number
  readonly width: number
  readonly values: Float32Array
}

/** The nodes and constants that compute `output` = input · weights. */
export function integerProduct(
  { name: input, isGelu }: Factor,
  weights: WeightMatrix,
  output: string,
): readonly Field[] {
  const { name, depth, width } = weights
  const { integers, scales } = quantise(weights)
  const own = (part: string) => `${name}.${part}`
  const of = (part: string) => `${output}.${part}`
  const shares = isGelu ? of('lifted') : input
  return [
    isGelu ? node('Add', [input, own('lift')], of('lifted')) : node('Abs', [input], of('sizes')),
    node('ReduceMax', [isGelu ? of('lifted') : of('sizes')], of('largest'), { axes: [-1], keepdims: 1 }),
    node('Max', [of('largest'), own('least')], of('most')),
    node('Div', [shares, of('most')], of('shares')),
    node('QuantizeLinear', [of('shares'), own('step'), own('zero')], of('integers')),
    node(
      'MatMulIntegerToFloat',
      [of('integers'), own('integers'), own('step'), own('scales'), own('zero')],
      of('product'),
      {},
      runtimeOperators,
    ),
    node('Mul', [of('product'), of('most')], isGelu ? of('with-lift') : output),
    constantField({
      name: own('integers'),
      type: signedByte,
      dims: [depth, width],
      bytes: bytesOf(integers),
    }),
    floats(own('scales'), scales),
    constantField({
      name: own('zero'),
      type: byte,
      dims: [],
      bytes: Uint8Array.of(isGelu ? 0 : middle),
    }),
    number(own('step'), 1 / (isGelu ? greatestByte : greatest)),
    number(own('least'), least),
    ...(isGelu
      ? [
          node('Sub', [of('with-lift'), own('of-lift')], output),
          number(own('lift'), geluLift),
          floats(own('of-lift'), liftedBy(geluLift, integers, scales)),
        ]
      : []),
  ]
}

const floats = (name: string, values: Float32Array): Field =>
  constantField({ name, type: float, dims: [values.length], bytes: bytesOf(values) })

const number = (name: string, value: number): Field =>
  constantField({ name, type: float, dims: [], bytes: bytesOf(Float32Array.of(value)) })

// Quantises millions of weights: in plain loops, row by row.
function quantise({ depth, width, values }: WeightMatrix) {
  const scales = new Float32Array(width)
  for (let row = 0, place = 0; row < depth; row++)
    for (let column = 0; column < width; column++, place++) {
      const size = Math.abs(values[place] as number)
      if (size > (scales[column] as number)) scales[column] = size
    }
  for (let column = 0; column < width; column++) scales[column] = (scales[column] as number) / greatest
  const integers = new Int8Array(depth * width)
  for (let row = 0, place = 0; row < depth; row++)
    for (let column = 0; column < width; column++, place++)
      integers[place] = Math.round((values[place] as number) / ((scales[column] as number) || 1))
  return { integers, scales }
}

/** What the same lift of all inputs adds to each column. */
function liftedBy(lift: number, integers: Int8Array, scales: Float32Array): Float32Array {
  const width = scales.length
  const sums = new Float32Array(width)
  for (let place = 0; place < integers.length; )
    for (let column = 0; column < width; column++, place++)
      sums[column] = (sums[column] as number) + (integers[place] as number)
  return sums.map((sum, column) => lift * sum * (scales[column] as number))
}
