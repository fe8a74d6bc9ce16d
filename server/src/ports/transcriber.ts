// The port for speech to text in a call.
import type { Frame, RateHz } from '../media/frame.ts'
import type { OwnValues } from './own-options.ts'
import type { VoiceEvent } from './voice-detector.ts'

export type TranscriptEvent =
  /** The engine works, and has nothing to report: the sound of a street has no words. */
  | { readonly type: 'alive' }
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
  /** How turns are detected from now on, where it is not as before; null: not at all, so that the call decides itself. */
  | { readonly type: 'turn-detection'; readonly detection: TurnDetection | null }
  /** What is made of the words so far, where turns are detected. */
  | EndOfTurn

/**
 * Whether the caller has finished. `likely`: a reply may be prepared. `withdrawn`: the caller goes on after all.
 * `certain`: sent right after the final of the turn. It counts only while turns are detected, and not for a final that
 * was asked for.
 */
export interface EndOfTurn {
  readonly type: 'end-of-turn'
  readonly is: 'likely' | 'withdrawn' | 'certain'
}

/** What to expect of whoever tells the ends of turns: a transcriber, or any other judge of what was heard. */
export interface TurnDetection {
  /** Whether probable ends are told, and withdrawn when the caller goes on. */
  readonly isEager: boolean
  /** The silence after which any turn is ended, however unfinished it sounds. */
  readonly longestSilenceMs: number
}

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
  /** The silence that ends an utterance. Engines that detect turns are as patient as it is long. */
  readonly endpointingMs: number
  /**
   * Who decides that the caller has finished: the engine, or the call by the silence and the words. Undefined: the
   * engine, if its model is made for that.
   */
  readonly turnDetection?: 'engine' | 'call' | undefined
  /** Whether the times of words are wanted from engines that have to work them out. */
  readonly wordTimes?: boolean | undefined
  /** Names and words to expect, for engines that accept them. */
  readonly keyterms?: readonly string[] | undefined
  /** Options of the vendor's own. */
  readonly own?: OwnValues | undefined
}

/** What is left out is not limited. */
export interface KeytermLimits {
  readonly most?: number | undefined
  /** Of each. */
  readonly mostChars?: number | undefined
  /** Of all of them, for vendors that count what their models count. */
  readonly mostTokens?: number | undefined
}

export interface TranscriberAbilities {
  /**
   * The silence before a final is asked for, of an engine that ends the utterance there and cuts it in two if the caller
   * goes on. Undefined: it may be asked at any pause.
   */
  readonly finalAfterMs?: number | undefined
  /** Whether it takes any; limits, where there are some. */
  readonly keyterms: boolean | KeytermLimits
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
  /** How a stream with these options detects turns; absent or undefined: it does not. */
  detectsTurns?(options: TranscriberOptions): TurnDetection | undefined
  open(options: TranscriberOptions, signal: AbortSignal): TranscriptStream
  /** Connects ahead, while the telephone rings. Rejects with one sentence if the engine is of no use. */
  warm?(options: TranscriberOptions, signal: AbortSignal): Promise<void>
  /** Closes the engine at the end of the call. */
  close?(): void
}
