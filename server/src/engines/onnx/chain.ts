// Writes an ONNX model of a small network: a chain of dilated convolutions (TDNN).
import { type Field, messageField, numberField, textField, writeFields } from '../../platform/protobuf.ts'
import {
  bytesOf,
  constantField,
  float,
  graphInput,
  graphOutput,
  modelGraph,
  node,
  operatorSet,
  valueName,
} from './graph.ts'

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

/** Input `frames` [1, inputs, time], output `outputs` [1, outputs, time minus the taps' reach]. */
export function chainModel(layers: readonly ChainLayer[]): Uint8Array {
  const first = layers[0]?.inputs ?? 0
  const last = layers.at(-1)?.outputs ?? 0
  const graph = [
    ...layers.flatMap((layer, place) => layerNodes(layer, place, layers.length)),
    textField(2, 'chain'),
    ...layers.flatMap(({ outputs, inputs, taps, weights, biases }, place) => [
      floats(`weights.${place}`, [outputs, inputs, taps], weights),
      floats(`biases.${place}`, [outputs], biases),
    ]),
    channelsValue(graphInput, 'frames', first),
    channelsValue(graphOutput, 'outputs', last),
  ]
  return writeFields([
    numberField(1, fileVersion),
    messageField(modelGraph, graph),
    operatorSet('', operatorVersion),
  ])
}

/** Each layer is followed by a ReLU. */
function layerNodes({ spacing }: ChainLayer, place: number, count: number): Field[] {
  const input = place === 0 ? 'frames' : `layer.${place - 1}`
  const output = place === count - 1 ? 'outputs' : `layer.${place}`
  return [
    node('Conv', [input, `weights.${place}`, `biases.${place}`], `sum.${place}`, { dilations: [spacing] }),
    node('Relu', [`sum.${place}`], output),
  ]
}

const floats = (name: string, dims: readonly number[], values: Float32Array): Field =>
  constantField({ name, type: float, dims, bytes: bytesOf(values) })

/** An input or an output of floats [1, channels, any number of frames]. */
function channelsValue(number: number, name: string, channels: number): Field {
  const dims = [
    messageField(1, [numberField(1, 1)]),
    messageField(1, [numberField(1, channels)]),
    messageField(1, [textField(2, 'time')]),
  ]
  const tensor = messageField(1, [numberField(1, float), messageField(2, dims)])
  return messageField(number, [textField(valueName, name), messageField(2, [tensor])])
}
