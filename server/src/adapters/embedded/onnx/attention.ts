// Rewrites a decoder so that its cross-attention becomes an additional output.
//
// A merged decoder is one `If` node with two subgraphs, with and without cached keys and values. Both compute the
// attention of every layer and discard it; here both output it.
import { changed, type Field, messageField, readFields, textField, textOf, writeFields } from './protobuf.ts'

// Field numbers in the ONNX format.
const modelGraph = 7
const graphNode = 1
const graphOutput = 12
const nodeOutput = 2
const nodeOperator = 4
const nodeAttribute = 5
const attributeGraph = 6
const valueName = 1

export const attentionOutput = (layer: number): string => `attention.${layer}`

const inside = (layer: number) => `/model/decoder/layers.${layer}/encoder_attn/Softmax_output_0`

export function exposeAttention(model: Uint8Array, layers: readonly number[]): Uint8Array {
  const outputs = (nameOf: (layer: number) => string) =>
    layers.map((layer) => messageField(graphOutput, [textField(valueName, nameOf(layer))]))
  const withOutputs = (graph: readonly Field[]) => [...graph, ...outputs(inside)]
  const choice = (node: readonly Field[]) => [
    ...changed(node, nodeAttribute, (attribute) => changed(attribute, attributeGraph, withOutputs)),
    ...layers.map((layer) => textField(nodeOutput, attentionOutput(layer))),
  ]
  const whole = (graph: readonly Field[]) => [
    ...changed(graph, graphNode, (node) => (textOf(node, nodeOperator) === 'If' ? choice(node) : node)),
    ...outputs(attentionOutput),
  ]
  return writeFields(changed(readFields(model), modelGraph, whole))
}
