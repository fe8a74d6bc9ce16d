// What the engine asks of anything that turns text into speech.
import type { Frame, RateHz } from '../media/frame.ts'

export interface SynthesizerOptions {
  readonly voice: string
  readonly language?: string | undefined
  /** The rate of the line: the frames come out at it. */
  readonly rateHz: RateHz
}

export interface Synthesizer {
  /**
   * Frames as soon as there are any; the last is filled up with silence. Each is the reader's to keep.
   * Ends quietly when the signal aborts; throws one sentence when the engine fails.
   */
  synthesize(text: string, options: SynthesizerOptions, signal: AbortSignal): AsyncIterable<Frame>
}
