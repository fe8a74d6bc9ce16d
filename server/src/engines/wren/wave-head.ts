// The end of wren's second network, which turns the frames of its blocks into sound. It is stored for 24 kHz; here it is
// written for the rate of the line, so that nothing is computed that the line does not carry, and nothing is resampled:
//
//   frame → twice a frame, for each line of the spectrum: the size and the phase of a filter, and a gain
//   spectrum = filter · spectrum of a pulse train + gain · spectrum of noise
//   sound = the sum of the overlapping windows

import { readFields } from '../../platform/protobuf.ts'
import { constantsIn, float, floatsOf, modelGraph } from '../onnx/graph.ts'
import { GraphWriter } from '../onnx/graph-writer.ts'
import {
  edgeSamples,
  overlapped,
  type Spectrum,
  spectrumLines,
  spectrumOf,
  windows,
  windowsPerFrame,
} from './fourier.ts'
import { featureWidth } from './wave-blocks.ts'
import { highestHz, samplesPerWrenFrame, type WrenHz, wrenFramesPerSecond } from './wren-frames.ts'

/** The weights that all rates take theirs from. */
export interface HeadWeights {
  readonly normWeight: Float32Array
  readonly normBias: Float32Array
  /** [features, columns] */
  readonly weights: Float32Array
  readonly bias: Float32Array
}

export function headWeights(wave: Uint8Array): HeadWeights {
  const graph = readFields(wave).find(({ number }) => number === modelGraph)?.value as Uint8Array
  const constants = constantsIn(readFields(graph))
  const floats = (name: string) => {
    const found = constants.get(name)
    if (!found) throw new Error(`the second network has no ${name}`)
    return floatsOf(found)
  }
  return {
    normWeight: floats('d.norm.weight'),
    normBias: floats('d.norm.bias'),
    weights: floats('onnx::MatMul_2379_h'),
    bias: floats('d.head.bias_h'),
  }
}

// Each line has a size, a phase and a gain.
const partsPerLine = 3
// The logarithms of the factors of the filter and the noise are limited to this.
const loudest = 4
// Pulses are measured by the sum of the window, noise by its energy.
const noiseScale = 10

export function waveHead(stored: HeadWeights, rateHz: WrenHz): Uint8Array {
  const graph = new GraphWriter()
  const { size, phase, gain } = filters(graph, stored, rateHz)
  const { pulses, noise } = spectra(graph, rateHz)
  const times = (one: string, other: string) => graph.node('Mul', [one, other])
  const plus = (one: string, other: string) => graph.node('Add', [one, other])
  const real = times(size, graph.node('Cos', [phase]))
  const imaginary = times(size, graph.node('Sin', [phase]))
  const filtered = {
    real: graph.node('Sub', [times(real, pulses.real), times(imaginary, pulses.imaginary)]),
    imaginary: plus(times(real, pulses.imaginary), times(imaginary, pulses.real)),
  }
  const spectrum = {
    real: plus(filtered.real, times(gain, noise.real)),
    imaginary: plus(filtered.imaginary, times(gain, noise.imaginary)),
  }
  graph.output('audio', overlapped(graph, windows(graph, spectrum, rateHz), rateHz))
  return graph.model()
}

/** The filters, each [1, windows, lines]. */
function filters(graph: GraphWriter, stored: HeadWeights, rateHz: WrenHz) {
  const lines = spectrumLines(rateHz)
  const columns = windowsPerFrame * partsPerLine * lines
  const floats = (values: Float32Array) => graph.floats([values.length], values)
  const normal = graph.node('LayerNormalization', [
    graph.input('hidden', featureWidth),
    floats(stored.normWeight),
    floats(stored.normBias),
  ])
  const weights = graph.floats([featureWidth, columns], lowerLines(stored.weights, rateHz))
  const bias = floats(lowerLines(stored.bias, rateHz))
  const sum = graph.node('Add', [graph.node('MatMul', [normal, weights]), bias])
  const all = graph.reshape(sum, 1, -1, partsPerLine * lines)
  const part = (place: number) => graph.slice(all, { axis: 2, from: place * lines, to: (place + 1) * lines })
  const exponential = (value: string) => graph.node('Exp', [graph.node('Clip', [value, '', loudest])])
  return { size: exponential(part(0)), phase: part(1), gain: exponential(part(2)) }
}

/** Cuts each part of each row to the columns of the lines that this rate has. */
function lowerLines(rows: Float32Array, rateHz: WrenHz): Float32Array {
  const [all, kept] = [spectrumLines(highestHz), spectrumLines(rateHz)]
  const parts = rows.length / all
  const lower = new Float32Array(parts * kept)
  for (let part = 0; part < parts; part++)
    lower.set(rows.subarray(part * all, part * all + kept), part * kept)
  return lower
}

/**
 * The spectra of pulses and noise. Pulses are made at 24 kHz for every rate: where a voice begins, their upper
 * harmonics reach down into a telephone's band. Noise can be made at the rate of the line.
 */
function spectra(
  graph: GraphWriter,
  rateHz: WrenHz,
): { readonly pulses: Spectrum; readonly noise: Spectrum } {
  const train = pulseTrain(graph, graph.input('f0'), graph.input('phase'))
  // The first and the last window reach beyond the pulses, into silence.
  const edge = graph.floats([1, edgeSamples(highestHz)], new Float32Array(edgeSamples(highestHz)))
  const pulses = graph.node('Concat', [edge, graph.reshape(train, 1, -1), edge], { axis: 1 })
  const noise = graph.node('Mul', [graph.input('noise'), noiseScale])
  const lines = spectrumLines(rateHz)
  return {
    pulses: spectrumOf(graph, { samples: pulses, rateHz: highestHz, lines }),
    noise: spectrumOf(graph, { samples: noise, rateHz, lines }),
  }
}

// The networks were trained with pulses that end a little below the highest frequency.
const highestHarmonicHz = 11_800
const lowestPitchHz = 40
// Below this pitch there is no voice.
const voicedHz = 10
// So close to a pulse the quotient is its limit, the number of harmonics.
const nearPulse = 1e-4

/**
 * The pulses of a voice at 24 kHz, all harmonics of the pitch in phase: [frames, samples of a frame], from the pitch and
 * the phase in the middle of each frame, [1, frames].
 *
 *   Σ cos(2π·k·x), k = 1 … harmonics   =   sin(2π·(harmonics + ½)·x) / (2 sin(π·x)) - ½,   x: the phase in cycles
 */
function pulseTrain(graph: GraphWriter, f0: string, phase: string): string {
  const fraction = (value: string) => graph.node('Sub', [value, graph.node('Floor', [value])])
  const pitch = graph.reshape(f0, -1, 1)
  const next = graph.node(
    'Concat',
    [graph.slice(pitch, { axis: 0, from: 1 }), graph.slice(pitch, { axis: 0, from: -1 })],
    { axis: 0 },
  )
  const known = graph.node('Concat', [pitch, next, graph.reshape(phase, -1, 1)], { axis: 1 })
  const cycles = fraction(graph.node('MatMul', [known, phases(graph)]))
  const harmonics = graph.node('Floor', [
    graph.node('Div', [highestHarmonicHz, graph.node('Max', [pitch, lowestPitchHz])]),
  ])
  const sine = graph.node('Sin', [graph.node('Mul', [cycles, Math.PI])])
  const turns = fraction(graph.node('Mul', [graph.node('Add', [harmonics, 0.5]), cycles]))
  const high = graph.node('Sin', [graph.node('Mul', [turns, 2 * Math.PI])])
  const sum = graph.node('Sub', [graph.node('Div', [high, graph.node('Mul', [sine, 2])]), 0.5])
  const isPulse = graph.node('Less', [graph.node('Abs', [sine]), nearPulse])
  const isVoiced = graph.node('Cast', [graph.node('Greater', [pitch, voicedHz])], { to: float })
  return graph.node('Mul', [graph.node('Where', [isPulse, harmonics, sum]), isVoiced])
}

/** The factors of the pitch of a frame, that of the next one and the phase, which give the phase at each sample. */
function phases(graph: GraphWriter): string {
  const samples = samplesPerWrenFrame(highestHz)
  const rows = new Float32Array(3 * samples)
  for (let sample = 0; sample < samples; sample++) {
    const place = (sample + 0.5) / samples - 0.5
    // The pitch changes in the middle of a frame.
    rows[sample + (place < 0 ? 0 : samples)] = place / wrenFramesPerSecond
    rows[sample + 2 * samples] = 1
  }
  return graph.floats([3, samples], rows)
}
