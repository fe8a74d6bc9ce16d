// Rewrites a decoder so that its cross-attention becomes an additional output.
//
// A merged decoder is one `If` node with two subgraphs, with and without cached keys and values. Both compute the
// attention of every layer and discard it; here both output it.

import {
  changed,
  type Field,
  messageField,
  readFields,
  textField,
  writeFields,
} from '../../platform/protobuf.ts'
import {
  graphNode,
  graphOutput,
  modelGraph,
  nodeOutput,
  operatorOf,
  valueName,
  withBranches,
} from './graph.ts'

export const attentionOutput = (layer: number): string => `attention.${layer}`

const inside = (layer: number) => `/model/decoder/layers.${layer}/encoder_attn/Softmax_output_0`

export function exposeAttention(model: Uint8Array, layers: readonly number[]): Uint8Array {
  const outputs = (nameOf: (layer: number) => string) =>
    layers.map((layer) => messageField(graphOutput, [textField(valueName, nameOf(layer))]))
  const chosen = (field: Field): Field =>
    field.number === graphNode && operatorOf(field) === 'If'
      ? messageField(graphNode, [
          ...readFields(field.value as Uint8Array),
          ...layers.map((layer) => textField(nodeOutput, attentionOutput(layer))),
        ])
      : field
  const whole = (graph: readonly Field[]) => [
    ...withBranches(graph, (branch) => [...branch, ...outputs(inside)]).map(chosen),
    ...outputs(attentionOutput),
  ]
  return writeFields(changed(readFields(model), modelGraph, whole))
}
