// Nodes, constants and names of an ONNX graph, for code that rewrites one.
import {
  bytesField,
  type Field,
  messageField,
  numberField,
  readFields,
  textField,
  textOf,
} from './protobuf.ts'

// Field numbers in the ONNX format.
export const modelGraph = 7
export const graphNode = 1
export const graphConstant = 5
export const graphInput = 11
export const graphOutput = 12
export const nodeInput = 1
const nodeOutput = 2
const nodeOperator = 4
const nodeAttribute = 5
const valueName = 1
const attributeName = 1
const attributeInteger = 3
const attributeType = 20

const float = 1
const integer64 = 7
const integerAttribute = 2

const text = (value: Field['value']) => Buffer.from(value as Uint8Array).toString('utf8')
const named = (value: Field['value'], number: number): string[] =>
  readFields(value as Uint8Array)
    .filter((field) => field.number === number)
    .map((field) => text(field.value))

/** Of an input or an output of the graph. */
export const nameOf = (field: Field): string => textOf(readFields(field.value as Uint8Array), valueName)
export const operatorOf = (node: Field): string => textOf(readFields(node.value as Uint8Array), nodeOperator)
export const inputsOf = (node: Field): string[] => named(node.value, nodeInput)
export const outputOf = (node: Field): string => named(node.value, nodeOutput)[0] ?? ''

export const node = (
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, number>> = {},
): Field =>
  messageField(graphNode, [
    ...inputs.map((name) => textField(nodeInput, name)),
    textField(nodeOutput, output),
    textField(nodeOperator, operator),
    ...Object.entries(attributes).map(([name, value]) =>
      messageField(nodeAttribute, [
        textField(attributeName, name),
        numberField(attributeInteger, value),
        numberField(attributeType, integerAttribute),
      ]),
    ),
  ])

/** The node with `to` in place of the input `from`. */
export const withInput = (given: Field, from: string, to: string): Field =>
  messageField(
    graphNode,
    readFields(given.value as Uint8Array).map((field) =>
      field.number === nodeInput && text(field.value) === from ? textField(nodeInput, to) : field,
    ),
  )

/** A list of one number. */
export const constant = (name: string, value: bigint): Field =>
  messageField(graphConstant, [
    numberField(1, 1),
    numberField(2, integer64),
    textField(8, name),
    bytesField(9, new Uint8Array(BigInt64Array.of(value).buffer)),
  ])

/** An input or an output of floats [1, any number of frames, width]. */
export function framesValue(
  number: typeof graphInput | typeof graphOutput,
  name: string,
  width: number,
): Field {
  const dims = [
    messageField(1, [numberField(1, 1)]),
    messageField(1, [textField(2, `${name}.frames`)]),
    messageField(1, [numberField(1, width)]),
  ]
  const tensor = messageField(1, [numberField(1, float), messageField(2, dims)])
  return messageField(number, [textField(valueName, name), messageField(2, [tensor])])
}
