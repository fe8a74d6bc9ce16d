// Nodes that compute spectra of overlapping windows, and sound from such spectra.
import type { GraphWriter } from '../onnx/graph-writer.ts'
import {
  backwards,
  edgeSamples,
  type FourierMatrix,
  forwards,
  stepsPerWindow,
  windowLength,
} from './fourier.ts'
import type { WrenHz } from './wren-frames.ts'

export interface Spectrum {
  readonly real: string
  readonly imaginary: string
}

interface Signal {
  readonly samples: string
  readonly rateHz: WrenHz
  /** How many lines of its spectrum are needed. */
  readonly lines: number
}

/** [1, windows, lines] */
export function spectrumOf(graph: GraphWriter, { samples, rateHz, lines }: Signal): Spectrum {
  const steps = graph.reshape(samples, 1, -1, windowLength(rateHz) / stepsPerWindow)
  const shifted = Array.from({ length: stepsPerWindow }, (_, place) => {
    const cut = place + 1 - stepsPerWindow
    return graph.slice(steps, { axis: 1, from: place, ...(cut < 0 && { to: cut }) })
  })
  const { even, odd } = folded(graph, graph.node('Concat', shifted, { axis: 2 }), windowLength(rateHz) / 2)
  const matrices = forwards(rateHz, lines)
  return {
    real: graph.node('MatMul', [even, constant(graph, matrices.even)]),
    imaginary: graph.node('MatMul', [odd, constant(graph, matrices.odd)]),
  }
}

/** Sums and differences of the samples on both sides of the middle of a window; the middle itself is the last sum. */
function folded(graph: GraphWriter, samples: string, middle: number) {
  const before = graph.slice(samples, { axis: 2, from: 1, to: middle })
  const after = graph.slice(samples, { axis: 2, from: -1, to: middle, step: -1 })
  const sums = graph.node('Add', [before, after])
  return {
    even: graph.node('Concat', [sums, graph.slice(samples, { axis: 2, from: middle, to: middle + 1 })], {
      axis: 2,
    }),
    odd: graph.node('Sub', [before, after]),
  }
}

/** The samples of each window, [1, windows, samples]. */
export function windows(graph: GraphWriter, { real, imaginary }: Spectrum, rateHz: WrenHz): string {
  const middle = windowLength(rateHz) / 2
  const matrices = backwards(rateHz)
  const even = graph.node('MatMul', [real, constant(graph, matrices.even)])
  const odd = graph.node('MatMul', [imaginary, constant(graph, matrices.odd)])
  const inner = graph.slice(even, { axis: 2, from: 1, to: middle })
  const mirrored = graph.slice(graph.node('Sub', [inner, odd]), { axis: 2, from: -1, to: -middle, step: -1 })
  return graph.node(
    'Concat',
    [
      graph.slice(even, { axis: 2, from: 0, to: 1 }),
      graph.node('Add', [inner, odd]),
      graph.slice(even, { axis: 2, from: middle }),
      mirrored,
    ],
    { axis: 2 },
  )
}

/**
 * The sum of windows that begin a step after one another. The quarters of all windows are put below each other, and
 * each row is moved by one step more than the one above: rows that end in more steps of silence are cut one step
 * shorter.
 */
export function overlapped(graph: GraphWriter, samples: string, rateHz: WrenHz): string {
  const step = windowLength(rateHz) / stepsPerWindow
  const quarters = graph.node('Transpose', [graph.reshape(samples, -1, stepsPerWindow, step)], {
    perm: [1, 0, 2],
  })
  const silence = graph.floats(
    [stepsPerWindow, stepsPerWindow, step],
    new Float32Array(stepsPerWindow ** 2 * step),
  )
  const longer = graph.reshape(graph.node('Concat', [quarters, silence], { axis: 1 }), -1)
  const moved = graph.reshape(
    graph.slice(longer, { axis: 0, from: 0, to: -stepsPerWindow * step }),
    stepsPerWindow,
    -1,
  )
  const sum = graph.node('ReduceSum', [moved, graph.integers(0)])
  return graph.slice(sum, { axis: 1, from: edgeSamples(rateHz), to: -edgeSamples(rateHz) })
}

const constant = (graph: GraphWriter, { dims, values }: FourierMatrix) => graph.floats(dims, values)
