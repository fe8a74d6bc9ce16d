// What the engine asks of anything that turns text into speech, clause by clause, as the text is thought.
import type { Frame, RateHz } from '../media/frame.ts'

export interface SynthesizerOptions {
  readonly voice: string
  readonly language?: string | undefined
  /** Of a vendor; undefined: the one that it recommends. */
  readonly model?: string | undefined
  /** The rate of the line: the frames come out at it. */
  readonly rateHz: RateHz
}

/** Counted from the first frame of the stream. */
export interface SpokenWord {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

export type SynthesisEvent =
  /** The reader's to keep. The last of a stream is filled up with silence. */
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'words'; readonly words: readonly SpokenWord[] }
  /** The sound of the earliest clause that had not ended is complete. */
  | { readonly type: 'clause-end' }

/** Iterated once. Throws one sentence when the engine fails; ends quietly when the signal aborts. */
export interface SynthesisStream extends AsyncIterable<SynthesisEvent> {
  /** The next clause; it never waits. */
  write(clause: string): void
  /** What was written is wanted now: the engine must not wait for more text in order to speak it better. */
  flush(): void
  /** No more text: what is still owed arrives, then the iteration ends. */
  finish(): void
  /** Stops at once; no event comes after it. */
  cancel(): void
}

export interface SynthesizerAbilities {
  /** It tells where each clause ends. Without it, what was heard is known by word times or estimated. */
  readonly clauseEnds: boolean
  readonly wordTimes: boolean
  /** Primary subtags, as in `en`; `any`: it is not known to refuse one. */
  readonly languages: readonly string[] | 'any'
}

export interface Synthesizer {
  readonly abilities: SynthesizerAbilities
  /** One stream for one thing that the agent says. */
  open(options: SynthesizerOptions, signal: AbortSignal): SynthesisStream
}

/** An engine that knows nothing but whole texts. */
export interface TextSynthesizer {
  /**
   * Frames as soon as there are any; the last is filled up with silence. Each is the reader's to keep.
   * Ends quietly when the signal aborts; throws one sentence when the engine fails.
   */
  synthesize(text: string, options: SynthesizerOptions, signal: AbortSignal): AsyncIterable<Frame>
}
