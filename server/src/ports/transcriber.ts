// The port for speech to text in a call.
import type { Frame, RateHz } from '../media/frame.ts'
import type { OwnValues } from './own-options.ts'
import type { VoiceEvent } from './voice-detector.ts'

export type TranscriptEvent =
  | { readonly type: 'speech-started' }
  /** The words so far of the current utterance; replaced by the next one. */
  | { readonly type: 'partial'; readonly text: string }
  /** A final for every utterance that began; empty if it turned out to have no words. */
  | {
      readonly type: 'final'
      readonly text: string
      readonly confidence?: number
      /** The position where its words end in the audio written since the stream was opened, if the engine says so. */
      readonly endMs?: number | undefined
      /** All its words, or pieces of words, in order, if the engine says when they were said. */
      readonly words?: readonly HeardWord[] | undefined
    }
  | { readonly type: 'speech-ended' }
  /** The caller turned out to speak this language: sent before the words that show it, if the language is `auto`. */
  | { readonly type: 'language'; readonly language: string }

/** A word with its position in the audio written since the stream was opened. */
export interface HeardWord {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

export interface TranscriberOptions {
  readonly model: string
  /** The language; `auto`: whichever the caller speaks. */
  readonly language?: string | undefined
  /** The sample rate of the line, and of the frames written. */
  readonly rateHz: RateHz
  /** The rate at which the vendor gets the audio, where it takes several; undefined: that of the line. */
  readonly samplingRateHz?: number | undefined
  /** `linear16`, `mulaw`, `alaw` and others: how the vendor gets the audio, where it takes several. */
  readonly encoding?: string | undefined
  /** The task: `transcribe`, or `translate` to English. */
  readonly task?: string | undefined
  /** Whether words are wanted while they are spoken. */
  readonly stream?: boolean | undefined
  /** The silence that ends an utterance, for engines with their own endpointing. */
  readonly endpointingMs: number
  /** Whether the times of words are wanted from engines that have to work them out. */
  readonly wordTimes?: boolean | undefined
  /** Names and words to expect, for engines that accept them. */
  readonly keyterms?: readonly string[] | undefined
  /** Options of the vendor's own. */
  readonly own?: OwnValues | undefined
}

export interface TranscriberAbilities {
  /** Whether the engine decides by itself when an utterance is over. */
  readonly ownEndpointing: boolean
  /** Whether the engine sends a probable final early, and retracts it when the caller continues. */
  readonly eagerFinals: boolean
  readonly keyterms: boolean
  /** Primary subtags, as in `en`; `any`: not known to refuse any. */
  readonly languages: readonly string[] | 'any'
}

/** A stream of events, iterated once. Ends silently when aborted; throws one sentence when the engine fails. */
export interface TranscriptStream extends AsyncIterable<TranscriptEvent> {
  /** Copies what it needs; never blocks. */
  write(frame: Frame): void
  /** Takes what the call's voice detector reported for the audio written so far, for engines that segment by it. */
  hear?(event: VoiceEvent): void
  /** Asks for the final now. Absent: the engine waits for its own endpointing. */
  finalize?(): void
  /** Ends the audio: the outstanding events arrive, then the iteration ends. */
  finish(): void
}

/** An engine for the length of a call. */
export interface Transcriber {
  readonly abilities: TranscriberAbilities
  open(options: TranscriberOptions, signal: AbortSignal): TranscriptStream
  /** Connects ahead, while the telephone rings. Rejects with one sentence if the engine is of no use. */
  warm?(options: TranscriberOptions, signal: AbortSignal): Promise<void>
  /** Closes the engine at the end of the call. */
  close?(): void
}
