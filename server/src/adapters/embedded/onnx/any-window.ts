// Rewrites whisper's encoder so that it accepts any window of up to 30 seconds.
//
// The graph adds a table of 1,500 positions to whatever it is given, which only fits 30 seconds. Here the table is cut
// at run time to the length of the input, and declarations of the fixed length are dropped:
//
//   sum = input + positions   →   sum = input + positions[0 : length of input]
import {
  bytesField,
  changed,
  type Field,
  messageField,
  numberField,
  readFields,
  textField,
  textOf,
  writeFields,
} from './protobuf.ts'

// Field numbers in the ONNX format.
const modelGraph = 7
const graphNode = 1
const graphConstant = 5
const graphOutput = 12
const graphValue = 13
const nodeInput = 1
const nodeOutput = 2
const nodeOperator = 4
const valueName = 1

const integer64 = 7

const positions = 'embed_positions.weight'
const cutPositions = 'window.positions'
const hiddenState = 'last_hidden_state'

export function withAnyWindow(encoder: Uint8Array): Uint8Array {
  return writeFields(changed(readFields(encoder), modelGraph, freed))
}

function freed(graph: readonly Field[]): readonly Field[] {
  // Other outputs are the attention of each layer, declared as 1,500 × 1,500.
  const isKept = ({ number, value }: Field) =>
    number !== graphValue && (number !== graphOutput || nameIn(value) === hiddenState)
  const kept = graph.filter(isKept)
  const place = kept.findIndex(
    ({ number, value }) => number === graphNode && inputsOf(value).includes(positions),
  )
  const sum = kept[place]
  if (!sum) throw new Error('this encoder has no table of positions')
  const input = inputsOf(sum.value).find((name) => name !== positions) ?? ''
  const adjusted = readFields(sum.value as Uint8Array).map((field) =>
    field.number === nodeInput && text(field.value) === positions
      ? textField(nodeInput, cutPositions)
      : field,
  )
  // Nodes are listed in the order in which they run.
  return [
    ...kept.slice(0, place),
    node('Shape', [input], 'window.shape'),
    node('Slice', ['window.shape', 'window.one', 'window.two'], 'window.length'),
    node('Slice', [positions, 'window.zero', 'window.length'], cutPositions),
    messageField(graphNode, adjusted),
    ...kept.slice(place + 1),
    constant('window.zero', 0n),
    constant('window.one', 1n),
    constant('window.two', 2n),
  ]
}

const text = (value: Field['value']) => Buffer.from(value as Uint8Array).toString('utf8')
const nameIn = (value: Field['value']) => textOf(readFields(value as Uint8Array), valueName)
const inputsOf = (value: Field['value']) =>
  readFields(value as Uint8Array)
    .filter(({ number }) => number === nodeInput)
    .map((field) => text(field.value))

const node = (operator: string, inputs: readonly string[], output: string): Field =>
  messageField(graphNode, [
    ...inputs.map((name) => textField(nodeInput, name)),
    textField(nodeOutput, output),
    textField(nodeOperator, operator),
  ])

/** A list of one number. */
const constant = (name: string, value: bigint): Field =>
  messageField(graphConstant, [
    numberField(1, 1),
    numberField(2, integer64),
    textField(8, name),
    bytesField(9, new Uint8Array(BigInt64Array.of(value).buffer)),
  ])
