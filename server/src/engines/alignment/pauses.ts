// Finds pauses inside a piece of speech by level alone.

export interface Pause {
  readonly fromMs: number
  readonly toMs: number
}

const rateHz = 16_000
const stepMs = 10
const stepSamples = (rateHz / 1000) * stepMs
// A level this far below the loud parts is only breath and room noise.
const quieterDb = 30
// The stop before a p or a t is silent for up to 80 ms and belongs to its word.
const shortestMs = 100

export function findPauses(samples: Float32Array): Pause[] {
  const levels = levelsOf(samples)
  const loud = [...levels].sort((a, b) => a - b)[Math.floor(levels.length * 0.9)] ?? 0
  const pauses: Pause[] = []
  let from = 0
  for (let step = 0; step <= levels.length; step++) {
    if (step < levels.length && (levels[step] as number) < loud - quieterDb) continue
    if ((step - from) * stepMs >= shortestMs) pauses.push({ fromMs: from * stepMs, toMs: step * stepMs })
    from = step + 1
  }
  return pauses
}

function levelsOf(samples: Float32Array): Float32Array {
  const levels = new Float32Array(Math.floor(samples.length / stepSamples))
  for (let step = 0; step < levels.length; step++) {
    let sum = 1e-10
    for (let i = step * stepSamples; i < (step + 1) * stepSamples; i++) sum += (samples[i] as number) ** 2
    levels[step] = 10 * Math.log10(sum / stepSamples)
  }
  return levels
}
