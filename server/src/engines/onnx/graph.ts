// Nodes, constants and names of an ONNX graph, for code that rewrites one.
import {
  bytesField,
  changed,
  type Field,
  messageField,
  numberField,
  numbersIn,
  readFields,
  textField,
  textOf,
} from '../../platform/protobuf.ts'

// Field numbers in the ONNX format.
export const modelGraph = 7
const modelOperators = 8
export const graphNode = 1
export const graphConstant = 5
export const graphInput = 11
export const graphOutput = 12
export const nodeInput = 1
export const nodeOutput = 2
const nodeOperator = 4
const nodeAttribute = 5
const nodeDomain = 7
export const valueName = 1
const attributeName = 1
const attributeInteger = 3
const attributeGraph = 6
const attributeIntegers = 8
const attributeType = 20

/** Types of numbers. */
export const float = 1
export const byte = 2
export const signedByte = 3
const integer64 = 7
export const halfFloat = 10
const integerAttribute = 2
const integersAttribute = 7
/** Operators that the runtime has besides the standard ones. */
export const runtimeOperators = 'com.microsoft'

const text = (value: Field['value']) => Buffer.from(value as Uint8Array).toString('utf8')
const named = (value: Field['value'], number: number): string[] =>
  readFields(value as Uint8Array)
    .filter((field) => field.number === number)
    .map((field) => text(field.value))

/** The name of an input or an output of the graph. */
export const valueNameOf = (field: Field): string => textOf(readFields(field.value as Uint8Array), valueName)
export const operatorOf = (node: Field): string => textOf(readFields(node.value as Uint8Array), nodeOperator)
export const inputsOf = (node: Field): string[] => named(node.value, nodeInput)
export const outputsOf = (node: Field): string[] => named(node.value, nodeOutput)
export const outputOf = (node: Field): string => outputsOf(node)[0] ?? ''

/** A node. `domain`: the origin of the operator, if it is not one of the standard. */
export const node = (
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, number | readonly number[]>> = {},
  domain = '',
): Field =>
  messageField(graphNode, [
    ...inputs.map((name) => textField(nodeInput, name)),
    textField(nodeOutput, output),
    textField(nodeOperator, operator),
    ...(domain ? [textField(nodeDomain, domain)] : []),
    ...Object.entries(attributes).map(([name, value]) =>
      messageField(nodeAttribute, [
        textField(attributeName, name),
        ...(typeof value === 'number'
          ? [numberField(attributeInteger, value), numberField(attributeType, integerAttribute)]
          : [
              ...value.map((each) => numberField(attributeIntegers, each)),
              numberField(attributeType, integersAttribute),
            ]),
      ]),
    ),
  ])

/** Returns the node with `to` in place of the input `from`. */
export const withInput = (given: Field, from: string, to: string): Field =>
  messageField(
    graphNode,
    readFields(given.value as Uint8Array).map((field) =>
      field.number === nodeInput && text(field.value) === from ? textField(nodeInput, to) : field,
    ),
  )

/** Returns the graph with the two branches of its `If` changed: what a merged decoder computes with and without a past. */
export const withBranches = (
  graph: readonly Field[],
  change: (branch: readonly Field[]) => readonly Field[],
): readonly Field[] =>
  changed(graph, graphNode, (fields) =>
    textOf(fields, nodeOperator) === 'If'
      ? changed(fields, nodeAttribute, (attribute) => changed(attribute, attributeGraph, change))
      : fields,
  )

/** Numbers of a graph, in the order of their dimensions. */
export interface Constant {
  readonly name: string
  readonly type: number
  readonly dims: readonly number[]
  readonly bytes: Uint8Array
}

export const constantField = ({ name, type, dims, bytes }: Constant): Field =>
  messageField(graphConstant, [
    ...dims.map((dim) => numberField(1, dim)),
    numberField(2, type),
    textField(8, name),
    bytesField(9, bytes),
  ])

export function readConstant(field: Field): Constant {
  const fields = readFields(field.value as Uint8Array)
  const bytesOf = (number: number) => fields.find((each) => each.number === number)?.value
  return {
    name: textOf(fields, 8),
    type: Number(bytesOf(2)),
    dims: fields.filter(({ number }) => number === 1).flatMap(({ value }) => numbersIn(value)),
    bytes: (bytesOf(9) as Uint8Array | undefined) ?? new Uint8Array(),
  }
}

/** The value of a constant that is one number, which is not stored as bytes. */
export function scalarOf(field: Field): number {
  const fields = readFields(field.value as Uint8Array)
  const stored = (number: number) => fields.find((each) => each.number === number)?.value
  const [floats, integers] = [stored(4), stored(5)]
  if (floats instanceof Uint8Array) return Buffer.from(floats).readFloatLE()
  const [integer] = integers === undefined ? [] : numbersIn(integers)
  if (integer === undefined) throw new Error(`${textOf(fields, 8)} is not one number`)
  return integer
}

export const integerList = (name: string, values: readonly bigint[]): Field =>
  constantField({ name, type: integer64, dims: [values.length], bytes: bytesOf(BigInt64Array.from(values)) })

export const constant = (name: string, value: bigint): Field => integerList(name, [value])

export const bytesOf = (numbers: ArrayBufferView): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)

/** An input or an output of floats [1, any number of frames], or [1, any number of frames, width]. */
export function framesValue(
  number: typeof graphInput | typeof graphOutput,
  name: string,
  width?: number,
): Field {
  const dims = [
    messageField(1, [numberField(1, 1)]),
    messageField(1, [textField(2, `${name}.frames`)]),
    ...(width === undefined ? [] : [messageField(1, [numberField(1, width)])]),
  ]
  const tensor = messageField(1, [numberField(1, float), messageField(2, dims)])
  return messageField(number, [textField(valueName, name), messageField(2, [tensor])])
}

/** Lets a model use the operators of a domain. */
export const operatorSet = (domain: string, version: number): Field =>
  messageField(modelOperators, [textField(1, domain), numberField(2, version)])

export const constantsIn = (graph: readonly Field[]): ReadonlyMap<string, Constant> =>
  new Map(
    graph
      .filter(({ number }) => number === graphConstant)
      .map((field) => readConstant(field))
      .map((read) => [read.name, read]),
  )

/** Reads a constant of floats, or of half precision. */
export function floatsOf({ name, type, bytes }: Constant): Float32Array {
  // A copy, because typed arrays need aligned offsets. Constructors convert at once; `from` goes number by number.
  const { buffer } = new Uint8Array(bytes)
  if (type === float) return new Float32Array(buffer)
  if (type === halfFloat) return new Float32Array(new Float16Array(buffer))
  throw new Error(`${name} is not a constant of floats`)
}

/**
 * Returns the graph without the nodes and constants that no output depends on. Nodes are listed in the order in which
 * they run.
 */
export function withoutUnused(graph: readonly Field[]): readonly Field[] {
  const needed = new Set(graph.filter(({ number }) => number === graphOutput).map(valueNameOf))
  const used = new Set<Field>()
  for (const field of graph.toReversed()) {
    if (field.number !== graphNode || !outputsOf(field).some((name) => needed.has(name))) continue
    used.add(field)
    for (const name of inputsOf(field)) needed.add(name)
  }
  return graph.filter(
    (field) =>
      (field.number !== graphNode || used.has(field)) &&
      (field.number !== graphConstant || needed.has(readConstant(field).name)),
  )
}
