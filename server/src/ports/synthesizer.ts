// The port for text to speech, clause by clause, as the text is generated.
import type { Frame, RateHz } from '../media/frame.ts'
import type { OwnValues } from './own-options.ts'

export interface SynthesizerOptions {
  /** The name of a voice; empty: the vendor's usual one. */
  readonly voice: string
  /** The vendor's id of a voice; takes precedence over its name. */
  readonly voiceId?: string | undefined
  readonly language?: string | undefined
  /** The vendor's model; undefined: its recommended one. */
  readonly model?: string | undefined
  /** A kind of model at vendors that sell a voice in several qualities, as in `neural`. */
  readonly engine?: string | undefined
  /** How much the vendor varies what it says, on its own scale, usually from 0 to 1. */
  readonly temperature?: number | undefined
  /** How close to the original speaker, from 0 to 1. */
  readonly similarityBoost?: number | undefined
  /** The speed; 1 is the usual one. */
  readonly speed?: number | undefined
  /** The format that the vendor is asked for: `wav`, `mp3`, `pcm`, `flac` or `ogg`. The frames are the same. */
  readonly audioFormat?: string | undefined
  /** How much text, in characters, the vendor may wait for to improve what it says. */
  readonly bufferSize?: number | undefined
  /** Whether the vendor is to send audio while it still synthesizes. */
  readonly stream?: boolean | undefined
  /** How words are pronounced, for vendors that accept it; others get the text as it is to be read. */
  readonly pronunciations?: readonly Pronunciation[] | undefined
  /** Options of the vendor's own. */
  readonly own?: OwnValues | undefined
  /** The sample rate of the line, and of the frames returned. */
  readonly rateHz: RateHz
}

/** The pronunciation of a word, in one of the two ways at least. */
export interface Pronunciation {
  readonly written: string
  /** A primary subtag, as in `en`; undefined: in all languages. */
  readonly language?: string | undefined
  /** A spelling as the word sounds. */
  readonly spokenAs?: string | undefined
  /** The sounds in the International Phonetic Alphabet. */
  readonly ipa?: string | undefined
}

/** A word with its times, counted from the first frame of the stream. */
export interface SpokenWord {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

export type SynthesisEvent =
  /** A frame, which its reader owns. The last frame of a stream is padded with silence. */
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'words'; readonly words: readonly SpokenWord[] }
  /** The end of the earliest unfinished clause: its audio is complete. */
  | { readonly type: 'clause-end' }
  /** Kept speech follows, of this many characters, for which nobody charges. */
  | { readonly type: 'from-cache'; readonly characters: number }

/** A stream of events, iterated once. Throws one sentence when the engine fails; ends silently when aborted. */
export interface SynthesisStream extends AsyncIterable<SynthesisEvent> {
  /** Takes the next clause; never blocks. */
  write(clause: string): void
  /** Asks for what was written to be spoken now: the engine must not wait for more text to improve it. */
  flush(): void
  /** Ends the text: the outstanding events arrive, then the iteration ends. */
  finish(): void
  /** Stops at once; no more events follow. */
  cancel(): void
}

export interface SynthesizerAbilities {
  /** Whether the engine marks where each clause ends; if not, what was heard is told by word times or estimated. */
  readonly clauseEnds: boolean
  readonly wordTimes: boolean
  /** Primary subtags, as in `en`; `any`: not known to refuse any. */
  readonly languages: readonly string[] | 'any'
  /** Whether it says figures, dates and signs as people do; otherwise it is given them in words. */
  readonly readsFigures?: boolean | undefined
  /** True while its first words take longer, because an engine of this process is loaded with its first use. */
  readonly isLoading?: (() => boolean) | undefined
}

/** An engine for the length of a call. */
export interface Synthesizer {
  readonly abilities: SynthesizerAbilities
  /**
   * Opens one stream per saying; several may be open at a time. `saying`: a number for what is said, the same when the
   * rest of it is asked for after a stream has failed.
   */
  open(options: SynthesizerOptions, signal: AbortSignal, saying?: number): SynthesisStream
  /** Connects ahead, while the telephone rings. Rejects with one sentence if the engine is of no use. */
  warm?(options: SynthesizerOptions, signal: AbortSignal): Promise<void>
  /** Closes the engine at the end of the call. */
  close?(): void
}

/** An engine that takes whole texts only. */
export interface TextSynthesizer {
  /**
   * Returns frames as soon as there are any; the last is padded with silence. Each is owned by the reader. Ends
   * without an error when the signal aborts; throws one sentence when the engine fails.
   */
  synthesize(text: string, options: SynthesizerOptions, signal: AbortSignal): AsyncIterable<Frame>
}

export interface VoiceDescription {
  readonly name: string
  /** A primary subtag, as in `en`. */
  readonly language: string
  readonly gender: 'female' | 'male'
  readonly engine: string
  /** Whether agents that name no voice get this one. */
  readonly isDefault: boolean
}

export interface VoiceSamples {
  /** The voices that can speak without a download. */
  voices(): Promise<readonly VoiceDescription[]>
  /** The sample of a voice as a WAV file. It is made on the first request, and kept. */
  sampleOf(voice: VoiceDescription): Promise<Uint8Array>
}
