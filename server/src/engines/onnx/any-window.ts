// Rewrites whisper's encoder so that it accepts any window of up to 30 seconds.
//
// The graph adds a table of 1,500 positions to whatever it is given, which only fits 30 seconds. Here the table is cut
// at run time to the length of the input, and declarations of the fixed length are dropped:
//
//   sum = input + positions   →   sum = input + positions[0 : length of input]

import { changed, type Field, readFields, writeFields } from '../../platform/protobuf.ts'
import {
  constant,
  graphNode,
  graphOutput,
  inputsOf,
  modelGraph,
  node,
  valueNameOf,
  withInput,
} from './graph.ts'

// Shapes that the exporter noted for values inside the graph.
const graphValue = 13

const positions = 'embed_positions.weight'
const cutPositions = 'window.positions'
const hiddenState = 'last_hidden_state'

export function withAnyWindow(encoder: Uint8Array): Uint8Array {
  return writeFields(changed(readFields(encoder), modelGraph, freed))
}

function freed(graph: readonly Field[]): readonly Field[] {
  // Whether an output is kept: the others are the attention of each layer, declared as 1,500 × 1,500.
  const isKept = (field: Field) =>
    field.number !== graphValue && (field.number !== graphOutput || valueNameOf(field) === hiddenState)
  const kept = graph.filter(isKept)
  const place = kept.findIndex((field) => field.number === graphNode && inputsOf(field).includes(positions))
  const sum = kept[place]
  if (!sum) throw new Error('this encoder has no table of positions')
  const input = inputsOf(sum).find((name) => name !== positions) ?? ''
  // Nodes are listed in the order in which they run.
  return [
    ...kept.slice(0, place),
    node('Shape', [input], 'window.shape'),
    node('Slice', ['window.shape', 'window.one', 'window.two'], 'window.length'),
    node('Slice', [positions, 'window.zero', 'window.length'], cutPositions),
    withInput(sum, positions, cutPositions),
    ...kept.slice(place + 1),
    constant('window.zero', 0n),
    constant('window.one', 1n),
    constant('window.two', 2n),
  ]
}
