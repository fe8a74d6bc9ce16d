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
  /** The silence that ends an utterance, for engines with an endpointing of their own. */
  readonly endpointingMs: number
  /** Names and words to be expected, for engines that can be told. */
  readonly keyterms?: readonly string[] | undefined
}

export interface TranscriberAbilities {
  /** It decides by itself when an utterance is over. */
  readonly ownEndpointing: boolean
  /** It tells a probable final before it is sure, and takes it back when the caller goes on. */
  readonly eagerFinals: boolean
  readonly keyterms: boolean
  /** Primary subtags, as in `en`; `any`: it is not known to refuse one. */
  readonly languages: readonly string[] | 'any'
}

/** Iterated once. Ends quietly when the signal aborts; throws one sentence when the engine fails. */
export interface TranscriptStream extends AsyncIterable<TranscriptEvent> {
  /** Copies what it needs; never waits. */
  write(frame: Frame): void
  /** What the call's voice detector heard in the sound written so far, for engines that cut by it. */
  hear?(event: VoiceEvent): void
  /** The speaker is thought to be done: the final is wanted now. Engines without it wait for their own silence. */
  finalize?(): void
  /** No more audio: the events still owed arrive, then the iteration ends. */
  finish(): void
}

export interface Transcriber {
  readonly abilities: TranscriberAbilities
  open(options: TranscriberOptions, signal: AbortSignal): TranscriptStream
}
