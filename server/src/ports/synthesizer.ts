// The port for text to speech, clause by clause, as the text is generated.
import type { Frame, RateHz } from '../media/frame.ts'

export interface SynthesizerOptions {
  readonly voice: string
  readonly language?: string | undefined
  /** The vendor's model; undefined: its recommended one. */
  readonly model?: string | undefined
  /** The sample rate of the line, and of the frames returned. */
  readonly rateHz: RateHz
}

/** Counted from the first frame of the stream. */
export interface SpokenWord {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

export type SynthesisEvent =
  /** Owned by the reader. The last frame of a stream is padded with silence. */
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'words'; readonly words: readonly SpokenWord[] }
  /** The audio of the earliest unfinished clause is complete. */
  | { readonly type: 'clause-end' }

/** Iterated once. Throws one sentence when the engine fails; ends without an error when the signal aborts. */
export interface SynthesisStream extends AsyncIterable<SynthesisEvent> {
  /** The next clause; never blocks. */
  write(clause: string): void
  /** Speak what was written now: the engine must not wait for more text to improve it. */
  flush(): void
  /** No more text: the outstanding events arrive, then the iteration ends. */
  finish(): void
  /** Stops at once; no more events. */
  cancel(): void
}

export interface SynthesizerAbilities {
  /** Marks where each clause ends. Without it, what was heard is determined by word times or estimated. */
  readonly clauseEnds: boolean
  readonly wordTimes: boolean
  /** Primary subtags, as in `en`; `any`: not known to refuse any. */
  readonly languages: readonly string[] | 'any'
}

export interface Synthesizer {
  readonly abilities: SynthesizerAbilities
  /** One stream per saying. */
  open(options: SynthesizerOptions, signal: AbortSignal): SynthesisStream
}

/** An engine that takes whole texts only. */
export interface TextSynthesizer {
  /**
   * Frames as soon as there are any; the last is padded with silence. Each is owned by the reader.
   * Ends without an error when the signal aborts; throws one sentence when the engine fails.
   */
  synthesize(text: string, options: SynthesizerOptions, signal: AbortSignal): AsyncIterable<Frame>
}
