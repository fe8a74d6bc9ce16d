// Writes an ONNX model of a small network: a chain of dilated convolutions (TDNN).
import {
  bytesField,
  type Field,
  messageField,
  numberField,
  textField,
  writeFields,
} from '../../platform/protobuf.ts'

export interface ChainLayer {
  readonly inputs: number
  readonly outputs: number
  /** The number of frames that a layer looks at, and their spacing. */
  readonly taps: number
  readonly spacing: number
  /** [output][input][tap] */
  readonly weights: Float32Array
  readonly biases: Float32Array
}

// ONNX file and operator versions, old enough for any recent runtime.
const fileVersion = 8
const operatorVersion = 13
const float = 1
const integers = 7

/** Input `frames` [1, inputs, time], output `outputs` [1, outputs, time minus the taps' reach]. */
export function chainModel(layers: readonly ChainLayer[]): Uint8Array {
  const first = layers[0]?.inputs ?? 0
  const last = layers.at(-1)?.outputs ?? 0
  const graph = [
    ...layers.flatMap((layer, place) => layerNodes(layer, place, layers.length)),
    textField(2, 'chain'),
    ...layers.flatMap(({ outputs, inputs, taps, weights, biases }, place) => [
      constant(`weights.${place}`, [outputs, inputs, taps], weights),
      constant(`biases.${place}`, [outputs], biases),
    ]),
    messageField(11, valueInfo('frames', first)),
    messageField(12, valueInfo('outputs', last)),
  ]
  return writeFields([
    numberField(1, fileVersion),
    messageField(7, graph),
    messageField(8, [textField(1, ''), numberField(2, operatorVersion)]),
  ])
}

/** Each layer is followed by a ReLU. */
function layerNodes({ spacing }: ChainLayer, place: number, count: number): Field[] {
  const input = place === 0 ? 'frames' : `layer.${place - 1}`
  const output = place === count - 1 ? 'outputs' : `layer.${place}`
  const dilations = messageField(5, [
    textField(1, 'dilations'),
    numberField(8, spacing),
    numberField(20, integers),
  ])
  return [
    node('Conv', [input, `weights.${place}`, `biases.${place}`], `sum.${place}`, [dilations]),
    node('Relu', [`sum.${place}`], output),
  ]
}

const node = (
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Field[] = [],
) =>
  messageField(1, [
    ...inputs.map((name) => textField(1, name)),
    textField(2, output),
    textField(4, operator),
    ...attributes,
  ])

const constant = (name: string, dims: readonly number[], values: Float32Array) =>
  messageField(5, [
    ...dims.map((dim) => numberField(1, dim)),
    numberField(2, float),
    textField(8, name),
    bytesField(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  ])

function valueInfo(name: string, channels: number): Field[] {
  const dims = [
    messageField(1, [numberField(1, 1)]),
    messageField(1, [numberField(1, channels)]),
    messageField(1, [textField(2, 'time')]),
  ]
  const tensor = messageField(1, [numberField(1, float), messageField(2, dims)])
  return [textField(1, name), messageField(2, [tensor])]
}
