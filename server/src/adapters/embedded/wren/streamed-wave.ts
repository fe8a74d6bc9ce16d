// Rewrites the second network of wren so that it decodes a sentence piece by piece and computes no frame twice.
//
// Each of its eight blocks looks at three frames on both sides, and the window of the inverse Fourier transform at two.
// As it is stored it pads the input of every block with silence. Here every block is given the last frames of its input
// that it saw before, and gives those that it will need next time:
//
//   padded = [0 0 0, input, 0 0 0]            →   padded = [past, input, end];   past' = the last 6 of padded
//   output = input + layers(padded)           →   output = padded[3 : -3] + layers(padded)
//
// So the output of a block ends three frames before its input does, until `end` completes the sentence. `past` is
// three frames of silence before the first piece, `end` three after the last one, otherwise empty.
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
  withInput,
} from '../onnx/graph.ts'
import { changed, type Field, readFields, writeFields } from '../onnx/protobuf.ts'

export const waveBlocks = 8
/** Frames that a block looks at, before and after each one. */
export const blockReach = 3
/** The same for the inverse Fourier transform. */
export const transformReach = 3
export const featureWidth = 384

/** The last of them belongs to the inverse Fourier transform. */
export const pasts = Array.from({ length: waveBlocks + 1 }, (_, place) => `past.${place}`)
export const nextPasts = pasts.map((name) => `next.${name}`)

const blockInput = (block: number) => (block === 0 ? 'features' : `/blk.${block - 1}/Add_17_output_0`)
const lastBlocks = blockInput(waveBlocks)

export function streamedWave(wave: Uint8Array): Uint8Array {
  return writeFields(changed(readFields(wave), modelGraph, streamed))
}

function streamed(graph: readonly Field[]): readonly Field[] {
  const nodes = graph.filter(({ number }) => number === graphNode)
  const blocks = Array.from({ length: waveBlocks }, (_, block) => blockInput(block))
  const rewritten = nodes.flatMap((each) => {
    const block = blocks.findIndex((input) => inputsOf(each).includes(input))
    if (block >= 0) return inBlock(each, block)
    return inputsOf(each).includes(lastBlocks)
      ? [...joinedTransform(), withInput(each, lastBlocks, 'hidden')]
      : each
  })
  return [
    ...rewritten,
    ...graph.filter(({ number }) => number !== graphNode),
    ...[...pasts, 'end'].map((name) => framesValue(graphInput, name, featureWidth)),
    ...nextPasts.map((name) => framesValue(graphOutput, name, featureWidth)),
    ...Object.entries(numbers).map(([name, value]) => constant(name, value)),
  ]
}

const numbers = {
  'stream.axis': 1n,
  'stream.reach': BigInt(blockReach),
  'stream.minus-reach': BigInt(-blockReach),
  'stream.minus-past': BigInt(-2 * blockReach),
  'stream.minus-transform-past': BigInt(-2 * transformReach),
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

/** What is transformed: the last frames from before, and the new ones. */
const joinedTransform = (): Field[] => [
  node('Concat', [pasts[waveBlocks] ?? '', lastBlocks], 'hidden', { axis: 1 }),
  node(
    'Slice',
    ['hidden', 'stream.minus-transform-past', 'stream.to-the-end', 'stream.axis'],
    nextPasts[waveBlocks] ?? '',
  ),
]
