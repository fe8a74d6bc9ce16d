// Turns tokens and the attention of each into words with times.
import type { Tensor } from 'onnxruntime-node'

// The step by which a cell is reached at the lowest cost.
const both = 0
const nextToken = 1
const nextFrame = 2

// Attention is spread thinly over many frames; a cell without any must not cost infinity.
const traces = 1e-3

/**
 * The frame in which each token was heard: the monotonic path through the decoder's attention (dynamic time warping).
 * Takes one row of attention per token over all frames.
 */
export function warp(rows: readonly Float32Array[]): number[] {
  const frames = rows[0]?.length ?? 0
  const ways: Uint8Array[] = []
  let above = new Float64Array(frames + 1).fill(Number.POSITIVE_INFINITY)
  above[0] = 0
  for (const row of rows) {
    const costs = new Float64Array(frames + 1).fill(Number.POSITIVE_INFINITY)
    const taken = new Uint8Array(frames + 1)
    for (let frame = 1; frame <= frames; frame++) {
      const diagonal = above[frame - 1] as number
      const down = above[frame] as number
      const right = costs[frame - 1] as number
      const way = diagonal < down && diagonal < right ? both : down < right ? nextToken : nextFrame
      const best = way === both ? diagonal : way === nextToken ? down : right
      taken[frame] = way
      costs[frame] = best - Math.log((row[frame - 1] as number) + traces)
    }
    ways.push(taken)
    above = costs
  }
  return walkBack(ways, frames)
}

function walkBack(ways: readonly Uint8Array[], frames: number): number[] {
  const starts = ways.map(() => 0)
  let [token, frame] = [ways.length, frames]
  while (token > 0 && frame > 0) {
    starts[token - 1] = frame - 1
    const way = ways[token - 1]?.[frame]
    if (way !== nextFrame) token--
    if (way !== nextToken) frame--
  }
  return starts
}

/** One step of a decoder: a token, its confidence, and the audio it attended to. */
export interface DecoderStep {
  readonly token: number
  /** The end token is not part of a word, but marks where the last one ends. */
  readonly part: 'first-of-word' | 'rest-of-word' | 'end'
  readonly probability: number
  readonly attention: Float32Array
}

export interface TimedWord {
  /** The word with its leading space, if it has one: joined, the words are the text. */
  readonly text: string
  /** Milliseconds from the beginning of the piece. */
  readonly fromMs: number
  readonly toMs: number
  readonly confidence: number
}

export interface AlignmentOptions {
  readonly frameMs: number
  /**
   * How long after a word begins the decoder attends to it; negative: before. Measured by
   * bench/transcription-alignment.ts.
   */
  readonly lagMs: number
  /** The samples of the piece at 16 kHz. */
  readonly samples: Float32Array
  spell(tokens: readonly number[]): string
}

// Shorter words are extended, so that their subtitle is visible.
const shortestMs = 20

export function wordTimes(steps: readonly DecoderStep[], heard: AlignmentOptions): TimedWord[] {
  const { frameMs, lagMs, samples, spell } = heard
  const starts = warp(steps.map(({ attention }) => attention))
  const endMs = samples.length / 16
  const atMs = (place: number) => {
    const start = starts[place]
    return start === undefined ? endMs : Math.min(endMs, Math.max(0, start * frameMs - lagMs))
  }
  const pauses = findPauses(samples)
  return wordPlaces(steps)
    .map(({ from, to }) => {
      const own = steps.slice(from, to)
      const times = outOfPauses(atMs(from), atMs(to), pauses)
      return { text: spell(own.map(({ token }) => token)), ...times, confidence: meanProbability(own) }
    })
    .filter(({ text }) => text.trim() !== '')
}

/** Index ranges of the steps of each word; `to` is exclusive. */
function wordPlaces(steps: readonly DecoderStep[]): { from: number; to: number }[] {
  const end = steps.findIndex(({ part }) => part === 'end')
  const to = end < 0 ? steps.length : end
  const firsts = steps.flatMap(({ part }, place) =>
    place < to && (part === 'first-of-word' || place === 0) ? [place] : [],
  )
  return firsts.map((from, place) => ({ from, to: firsts[place + 1] ?? to }))
}

/** The decoder may attend to the pause before or after a word. */
function outOfPauses(startMs: number, endMs: number, pauses: readonly Pause[]) {
  let [fromMs, toMs] = [startMs, Math.max(endMs, startMs + shortestMs)]
  for (const pause of pauses) {
    const beginsIn = pause.fromMs <= fromMs && fromMs < pause.toMs
    if (beginsIn && pause.toMs + shortestMs <= toMs) fromMs = pause.toMs
    const endsIn = pause.fromMs < toMs && toMs <= pause.toMs
    if (endsIn && pause.fromMs >= fromMs + shortestMs) toMs = pause.fromMs
  }
  return { fromMs, toMs }
}

/** Geometric mean: one uncertain token makes the word uncertain. */
function meanProbability(steps: readonly DecoderStep[]): number {
  const sum = steps.reduce((total, { probability }) => total + Math.log(Math.max(probability, 1e-6)), 0)
  return Math.exp(sum / Math.max(1, steps.length))
}

/** An attention head of a decoder that tracks the audio. */
export interface Head {
  readonly layer: number
  readonly head: number
}

/** Mean attention of these heads in the last step; each tensor is [1, heads, steps, frames]. */
export function attendedTo(
  heads: readonly Head[],
  tensorOf: (layer: number) => Tensor | undefined,
  frames?: number,
): Float32Array {
  let mean: Float32Array | undefined
  for (const { layer, head } of heads) {
    const tensor = tensorOf(layer)
    if (!tensor) throw new Error(`the decoder has no attention in layer ${layer}`)
    const [, , steps = 1, width = 0] = tensor.dims
    const data = tensor.data as Float32Array
    const from = (head * steps + steps - 1) * width
    mean ??= new Float32Array(Math.min(frames ?? width, width))
    for (let i = 0; i < mean.length; i++)
      mean[i] = (mean[i] as number) + (data[from + i] as number) / heads.length
  }
  return mean ?? new Float32Array()
}

// Logits this far behind are skipped: tens of thousands of them together add less than 1 %.
const hopeless = -15

/** A decoder's confidence in one of its tokens: the softmax for a single index. */
export function probabilityOf(token: number, logits: Float32Array): number {
  const own = logits[token] as number
  let sum = 0
  for (let i = 0; i < logits.length; i++) {
    const behind = (logits[i] as number) - own
    if (behind > hopeless) sum += Math.exp(behind)
  }
  return 1 / sum
}

interface Pause {
  readonly fromMs: number
  readonly toMs: number
}

const rateHz = 16_000
const stepMs = 10
const stepSamples = (rateHz / 1000) * stepMs
// A level this far below the loud parts is only breath and room noise.
const quieterDb = 30
// The stop before a p or a t is silent for up to 80 ms and belongs to its word.
const shortestPauseMs = 100

export function findPauses(samples: Float32Array): Pause[] {
  const levels = levelsOf(samples)
  const loud = [...levels].sort((a, b) => a - b)[Math.floor(levels.length * 0.9)] ?? 0
  const pauses: Pause[] = []
  let from = 0
  for (let step = 0; step <= levels.length; step++) {
    if (step < levels.length && (levels[step] as number) < loud - quieterDb) continue
    if ((step - from) * stepMs >= shortestPauseMs) pauses.push({ fromMs: from * stepMs, toMs: step * stepMs })
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
