// Messages between the voice detector and its worker, Silero's input shape, and the starts and ends of speech in its
// probabilities.
import type { RateHz } from '../../media/frame.ts'

export type SileroRateHz = Extract<RateHz, 8_000 | 16_000>

// Silero v5 was trained on windows of 32 ms, each preceded by the last 4 ms of the one before.
export const sileroWindowMs = 32
export const windowSamples = (rateHz: SileroRateHz): number => (rateHz / 1000) * sileroWindowMs
export const contextSamples = (rateHz: SileroRateHz): number => (rateHz / 1000) * 4

/** One window from each of several streams of one rate, concatenated. */
export interface Batch {
  readonly rateHz: SileroRateHz
  readonly streams: readonly number[]
  readonly windows: Float32Array<ArrayBuffer>
  /** Streams that have closed. */
  readonly gone: readonly number[]
}

/** The probability of speech in each window, in the order of `streams`. */
export type Probabilities = Float32Array<ArrayBuffer>

// Silero's defaults, with hysteresis: above the first is speech, below the second is not, in between nothing changes.
const speechProbability = 0.5
const silenceProbability = 0.35
// A click fills one window, a syllable fills two.
const windowsToStart = 2
// Stops such as the p in "stopping" are silent for up to 80 ms.
const windowsToEnd = 3

type SpeechEdge = { readonly type: 'speech-start' | 'speech-end'; readonly atMs: number }

/** Turns a probability per window into the starts and ends of speech. */
export class SpeechEdges {
  #speaking = false
  /** Consecutive windows in favour of a change. */
  #run = 0

  /** `atMs` is the end of the window; an edge is dated back to the start of its run. */
  hear(probability: number, atMs: number): SpeechEdge | undefined {
    const otherwise = this.#speaking ? probability < silenceProbability : probability >= speechProbability
    this.#run = otherwise ? this.#run + 1 : 0
    const needed = this.#speaking ? windowsToEnd : windowsToStart
    if (this.#run < needed) return undefined
    this.#run = 0
    this.#speaking = !this.#speaking
    return { type: this.#speaking ? 'speech-start' : 'speech-end', atMs: atMs - needed * sileroWindowMs }
  }
}
