// The port for a mind that hears and speaks itself. To the call it is a transcriber, a language model and a synthesizer,
// so that turns, tools, interruptions, recording and transcript are those of every call; behind them is one connection
// over which the model gets the caller's sound and sends its own.
import type { LanguageModel } from './language-model.ts'
import type { Synthesizer } from './synthesizer.ts'
import type { Transcriber } from './transcriber.ts'
import type { HostLookup } from './vendor.ts'

export interface RealtimeMind {
  /** What the model heard, in words, for the turn logic and the transcript; the model answers the sound. */
  readonly transcriber: Transcriber
  /** Its words are those of the sound that it sends. */
  readonly model: LanguageModel
  /** Plays that sound; what the model did not say itself, such as a greeting, it is asked to say word for word. */
  readonly synthesizer: Synthesizer
  /** The call is over. */
  close(): void
}

export interface RealtimeOptions {
  readonly model: string
  readonly voice: string | undefined
  /** The caller's language, for the words of the transcript; undefined: it is detected. */
  readonly language: string | undefined
  readonly apiKey: string
  /** As in https://api.openai.com/v1. */
  readonly baseUrl: string
  /** Sent when a session is opened, beside the key. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** For an address that a user gave: public ones only. */
  readonly lookup?: HostLookup | undefined
}
