// The port for a mind that hears and speaks itself. To the call it is a transcriber, a language model and a synthesizer,
// so that turns, tools, interruptions, recording and transcript are those of every call; behind them is one connection
// over which the model gets the caller's sound and sends its own.
import type { LanguageModel } from './language-model.ts'
import type { Synthesizer } from './synthesizer.ts'
import type { Transcriber, TranscriberOptions } from './transcriber.ts'
import type { HostLookup } from './vendor.ts'

export interface RealtimeMind {
  /** The words that the model heard, for the turn logic and the transcript; the model itself answers the sound. */
  readonly transcriber: Transcriber
  /** The words of the sound that the model sends. It throws when the model cannot be reached any more. */
  readonly model: LanguageModel
  /**
   * The sound that the model sends. Texts that are not its own, such as a greeting, it is asked to say verbatim, and where
   * it cannot, they are read aloud by a synthesizer.
   */
  readonly synthesizer: Synthesizer
  /** Closes the connection at the end of the call. */
  close(): void
}

export interface RealtimeOptions {
  readonly model: string
  readonly voice: string | undefined
  /** How the model's vendor writes down what it hears, if it does. */
  readonly transcription: Pick<TranscriberOptions, 'model' | 'language' | 'keyterms'>
  readonly apiKey: string
  /** An address as in https://api.openai.com/v1. */
  readonly baseUrl: string
  /** Headers that are sent when a session is opened, beside the key. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The lookup for an address that a user gave: public addresses only. */
  readonly lookup?: HostLookup | undefined
}

/** Parts of the call for what a realtime model cannot do, or cannot do any more. */
export interface RealtimeBeside {
  /** Reads aloud what the model does not say itself, in a voice as close to the model's as there is. */
  readonly synthesizer: Synthesizer
  /** Takes one sentence for the record of the call. */
  onNote(sentence: string): void
  /** Tells, once, that the model cannot be reached any more. */
  onGone(error: Error): void
}
