// The words between the voice detector and its thread, and the shape of what Silero wants to hear.
import type { RateHz } from '../../../media/frame.ts'

export type SileroRateHz = Extract<RateHz, 8_000 | 16_000>

// Silero v5 was trained on windows of 32 ms, each with the last 4 ms of the one before in front.
export const windowMs = 32
export const windowSamples = (rateHz: SileroRateHz): number => (rateHz / 1000) * windowMs
export const contextSamples = (rateHz: SileroRateHz): number => (rateHz / 1000) * 4

/** One window from each of some streams of one rate, laid end to end. */
export interface Batch {
  readonly rateHz: SileroRateHz
  readonly streams: readonly number[]
  readonly windows: Float32Array<ArrayBuffer>
  /** Streams that will not come again. */
  readonly gone: readonly number[]
}

/** In the order of `streams`. */
export type Probabilities = Float32Array<ArrayBuffer>
