// Nodes that make the pulses of a voice at 24 kHz: all harmonics of the pitch, in phase.
//
//   Σ cos(2π·k·x), k = 1 … harmonics   =   sin(2π·(harmonics + ½)·x) / (2 sin(π·x)) - ½,   x: the phase in cycles
import { float } from '../onnx/graph.ts'
import type { GraphWriter } from '../onnx/graph-writer.ts'
import { highestHz, samplesPerWrenFrame, wrenFramesPerSecond } from './wren-frames.ts'

// The networks were trained with pulses that end a little below the highest frequency.
const highestHarmonicHz = 11_800
const lowestPitchHz = 40
// Below it there is no voice.
const voicedHz = 10
// So close to a pulse the quotient is its limit, the number of harmonics.
const nearPulse = 1e-4

/** [frames, samples of a frame] from the pitch and the phase in the middle of each frame, [1, frames]. */
export function pulseTrain(graph: GraphWriter, f0: string, phase: string): string {
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

/** What is multiplied with the pitch of a frame, that of the next one and the phase: the phase at each sample. */
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
