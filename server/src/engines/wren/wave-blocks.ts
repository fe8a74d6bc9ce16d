// The blocks of wren's second network, which decide what every frame sounds like. They are rewritten so that they decode a
// sentence piece by piece and compute no frame twice; what turns their frames into sound is in wave-head.ts.
//
// Each of the eight blocks looks at three frames on both sides. As it is stored it pads its input with silence. Here it is
// given the last frames of its input that it saw before, and gives those that it will need next time:
//
//   padded = [0 0 0, input, 0 0 0]            →   padded = [past, input, end];   past' = the last 6 of padded
//   output = input + layers(padded)           →   output = padded[3 : -3] + layers(padded)
//
// So the output of a block ends three frames before its input does, until `end` completes the sentence. `past` is
// three frames of silence before the first piece, `end` three after the last one, otherwise empty.

import { changed, type Field, readFields, writeFields } from '../../platform/protobuf.ts'
import {
  constant,
  framesValue,
  graphInput,
  graphNode,
  graphOutput,
  inputsOf,
  modelGraph,
  node,
  operatorOf,
  outputOf,
  valueNameOf,
  withInput,
  withoutUnused,
} from '../onnx/graph.ts'

export const waveBlocks = 8
/** Frames that a block looks at, before and after each one. */
export const blockReach = 3
export const featureWidth = 384

export const pasts = Array.from({ length: waveBlocks }, (_, place) => `past.${place}`)
export const nextPasts = pasts.map((name) => `next.${name}`)

const blockInput = (block: number) => (block === 0 ? 'features' : `/blk.${block - 1}/Add_17_output_0`)
/** The output of the last block. */
export const hidden = blockInput(waveBlocks)

export function streamedBlocks(wave: Uint8Array): Uint8Array {
  return writeFields(changed(readFields(wave), modelGraph, streamed))
}

function streamed(graph: readonly Field[]): readonly Field[] {
  const blocks = Array.from({ length: waveBlocks }, (_, block) => blockInput(block))
  const rewritten = graph.flatMap((field) => {
    if (field.number === graphOutput) return []
    if (field.number === graphInput) return ['features', 'style'].includes(valueNameOf(field)) ? field : []
    const block =
      field.number === graphNode ? blocks.findIndex((input) => inputsOf(field).includes(input)) : -1
    return block < 0 ? field : inBlock(field, block)
  })
  return withoutUnused([
    ...rewritten,
    ...[...pasts, 'end'].map((name) => framesValue(graphInput, name, featureWidth)),
    ...[hidden, ...nextPasts].map((name) => framesValue(graphOutput, name, featureWidth)),
    ...Object.entries(numbers).map(([name, value]) => constant(name, value)),
  ])
}

const numbers = {
  'stream.axis': 1n,
  'stream.reach': BigInt(blockReach),
  'stream.minus-reach': BigInt(-blockReach),
  'stream.minus-past': BigInt(-2 * blockReach),
  'stream.to-the-end': 2n ** 63n - 1n,
}

/** The nodes that read the input of a block: its shape, its padding, and the sum at the end. */
function inBlock(each: Field, block: number): Field[] {
  const padded = `/blk.${block}/Pad_output_0`
  const middle = `middle.${block}`
  const input = blockInput(block)
  const read = withInput(each, input, middle)
  // The shape is asked for first, and nodes are listed in the order in which they run.
  if (operatorOf(each) === 'Shape')
    return [
      node('Concat', [pasts[block] ?? '', input, 'end'], padded, { axis: 1 }),
      node('Slice', [padded, 'stream.reach', 'stream.minus-reach', 'stream.axis'], middle),
      node(
        'Slice',
        [padded, 'stream.minus-past', 'stream.to-the-end', 'stream.axis'],
        nextPasts[block] ?? '',
      ),
      read,
    ]
  return outputOf(each) === padded ? [] : [read]
}
