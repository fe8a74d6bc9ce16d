// The frames in which wren computes, 12.5 ms each, and the rates at which it makes sound of them.
import type { RateHz } from '../../media/frame.ts'

export const wrenFramesPerSecond = 80

/** The rate that the networks were trained at is the highest. */
export type WrenHz = Exclude<RateHz, 48_000>
export const highestHz = 24_000

/** The rate at which speech for a line is made. */
export const wrenHzFor = (lineHz: RateHz): WrenHz => (lineHz === 48_000 ? highestHz : lineHz)
export const samplesPerWrenFrame = (rateHz: WrenHz): number => rateHz / wrenFramesPerSecond
