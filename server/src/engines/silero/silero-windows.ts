// Messages between the voice detector and its worker, and Silero's input shape.
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
