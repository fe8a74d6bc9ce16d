// The Fourier transforms of wren's sound as matrices, for one rate: their windows are 25 ms, a quarter of one apart.
//
// Whatever the rate, the lines of a spectrum are 40 Hz apart, and are those of the same spectrum at 24 kHz: a lower rate
// leaves out the upper ones. Windows are symmetric, so a transform is computed from the sums and the differences of the
// samples on both sides of the middle, with half of the multiplications.

import type { GraphWriter } from '../onnx/graph-writer.ts'
import { highestHz, type WrenHz } from './wren-frames.ts'

const linesPerSecond = 40
export const windowsPerFrame = 2
export const stepsPerWindow = 4

export const windowLength = (rateHz: WrenHz): number => rateHz / linesPerSecond
/** How far a window reaches beyond the step in its middle. */
export const edgeSamples = (rateHz: WrenHz): number =>
  (windowLength(rateHz) * (stepsPerWindow - 1)) / stepsPerWindow / 2
export const spectrumLines = (rateHz: WrenHz): number => windowLength(rateHz) / 2 + 1

export interface FourierMatrix {
  readonly dims: readonly [number, number]
  readonly values: Float32Array
}

/** The transform from the samples 1 … middle of a window, folded, to its first lines; sample 0 has no weight. */
export function forwards(
  rateHz: WrenHz,
  lines: number,
): { readonly even: FourierMatrix; readonly odd: FourierMatrix } {
  const { middle, cosine, sine, hann } = windowOf(rateHz)
  const scale = stepsPerWindow / (2 * middle)
  return {
    even: matrix(middle, lines, (row, line) => scale * hann(row + 1) * cosine((row + 1) * line)),
    odd: matrix(middle - 1, lines, (row, line) => -scale * hann(row + 1) * sine((row + 1) * line)),
  }
}

/** The transform to the samples 0 … middle of a window, or 1 … before the middle. */
export function backwards(rateHz: WrenHz): { readonly even: FourierMatrix; readonly odd: FourierMatrix } {
  const { middle, cosine, sine, hann } = windowOf(rateHz)
  const weights = Array.from({ length: middle + 1 }, (_, line) => weight(line, rateHz))
  const at = (line: number, sample: number) => (weights[line] as number) * hann(sample)
  return {
    even: matrix(middle + 1, middle + 1, (line, sample) => at(line, sample) * cosine(line * sample)),
    odd: matrix(middle + 1, middle - 1, (line, column) => -at(line, column + 1) * sine(line * (column + 1))),
  }
}

/** The middle of a window, and functions of a sample. */
function windowOf(rateHz: WrenHz) {
  const length = windowLength(rateHz)
  const cosines = Array.from({ length }, (_, sample) => Math.cos((2 * Math.PI * sample) / length))
  const sines = Array.from({ length }, (_, sample) => Math.sin((2 * Math.PI * sample) / length))
  const cosine = (sample: number) => cosines[sample % length] as number
  const sine = (sample: number) => sines[sample % length] as number
  return { middle: length / 2, cosine, sine, hann: (sample: number) => (1 - cosine(sample)) / 2 }
}

// Lines stand for two halves of a spectrum; this is divided by the sum of the squared windows.
const lineWeight = 1 / 3
// From this share of the highest frequency a lower rate fades out to a half, as the lines' resampler does.
const fadesFrom = 0.85

function weight(line: number, rateHz: WrenHz): number {
  const last = spectrumLines(rateHz) - 1
  if (line === 0 || line === last) return lineWeight / 2
  const beyond = rateHz === highestHz ? 0 : Math.max(0, line / last - fadesFrom)
  return (lineWeight * (1 + Math.cos((Math.PI / 2) * (beyond / (1 - fadesFrom))))) / 2
}

function matrix(
  rows: number,
  columns: number,
  valueAt: (row: number, column: number) => number,
): FourierMatrix {
  const values = new Float32Array(rows * columns)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) values[row * columns + column] = valueAt(row, column)
  return { dims: [rows, columns], values }
}

// Nodes that compute spectra of overlapping windows, and sound from such spectra.
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
