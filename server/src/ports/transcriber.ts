// What the engine asks of anything that turns speech into text.
import type { Frame, RateHz } from '../media/frame.ts'
import type { VoiceEvent } from './voice-detector.ts'

export type TranscriptEvent =
  | { readonly type: 'speech-started' }
  /** What was heard so far of the utterance under way; the next one replaces it. */
  | { readonly type: 'partial'; readonly text: string }
  /** Of every utterance that was begun; empty when it had no words after all. */
  | { readonly type: 'final'; readonly text: string; readonly confidence?: number }
  | { readonly type: 'speech-ended' }

export interface TranscriberOptions {
  readonly model: string
  readonly language?: string | undefined
  readonly rateHz: RateHz
  /** The silence that ends an utterance, for engines that let themselves be told. */
  readonly endpointingMs?: number | undefined
}

/** Iterated once. Ends quietly when the signal aborts; throws one sentence when the engine fails. */
export interface TranscriptStream extends AsyncIterable<TranscriptEvent> {
  /** Copies what it needs; never waits. */
  write(frame: Frame): void
  /** What the call's voice detector heard in the sound written so far, for engines that cut by it. */
  hear?(event: VoiceEvent): void
  /** The speaker is thought to be done: the final of what was heard is wanted now. Others wait for their own silence. */
  finalize?(): void
  /** No more audio: the events still owed arrive, then the iteration ends. */
  finish(): void
}

export interface Transcriber {
  open(options: TranscriberOptions, signal: AbortSignal): TranscriptStream
}
