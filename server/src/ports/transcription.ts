// The port for transcribing a whole recording.

/** The raw samples in a local file: 16 kHz, mono, 16 bit, little-endian, no header. Any part may be read. */
export interface TranscriptionAudio {
  readonly pcmFile: string
  readonly durationSeconds: number
}

export interface TranscriptionOptions {
  /** The language as ISO 639-1 in lower case, without a region. Absent: to be detected. */
  readonly language?: string | undefined
  /** Speaker diarization. Both bounds are always set: 1 and 20 by default, equal when the user knows the number. */
  readonly diarize?: { readonly minSpeakers: number; readonly maxSpeakers: number } | undefined
  /** Whether word timestamps are wanted. */
  readonly align: boolean
  /** Names and words to expect. */
  readonly keyterms: readonly string[]
}

/** A request that the engine cannot serve; the sentence names the engine and what would fix it. */
export interface TranscriptionRefusal {
  readonly option: keyof TranscriptionOptions
  readonly sentence: string
}

export interface TranscriptionJob {
  /** The workspace whose credentials are used, if it has some for the engine; undefined: the operator's. */
  readonly workspaceId?: string | undefined
  readonly sound: TranscriptionAudio
  readonly wishes: TranscriptionOptions
  /** Takes the share that is done, from 0 to 1, never decreasing; may be called as often as convenient. */
  onProgress(share: number): void
  readonly notes: TranscriptionCheckpoints
}

/**
 * The findings of an earlier attempt at the same audio with the same options, before its process died, such as the
 * text of each piece. An engine may continue from there. JSON by name; `put` never blocks, and is persisted within
 * about a second.
 */
export interface TranscriptionCheckpoints {
  get(name: string): string | undefined
  put(name: string, json: string): void
}

/** A word; times are seconds from the beginning of the recording. */
export interface TranscribedWord {
  readonly word: string
  readonly startSeconds: number
  readonly endSeconds: number
  /** The confidence from 0 to 1; null: unknown to the engine. */
  readonly confidence: number | null
  /** The speaker, from 0 on; null: not requested, or unknown. */
  readonly speaker: number | null
}

export interface TranscribedSegment {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly text: string
  readonly confidence: number | null
  readonly speaker: number | null
  /** The words; empty when alignment was not requested. */
  readonly words: readonly TranscribedWord[]
}

export interface TranscriptionResult {
  /** The language as ISO 639-1; null without speech, or when undetectable. */
  readonly language: string | null
  readonly languageConfidence: number | null
  /** The segments, ordered by start; empty if there is no speech. */
  readonly segments: readonly TranscribedSegment[]
}

export interface TranscriptionEngine {
  /** The name of the engine in refusals that users read. */
  readonly name: string
  /** What the engine cannot serve, decided without loading anything: processes that never transcribe call it, too. */
  refusals(wishes: TranscriptionOptions): readonly TranscriptionRefusal[]
  /** Transcribes. Throws one sentence when the engine fails; the caller may retry. Rejects soon after the signal aborts. */
  transcribe(job: TranscriptionJob, signal: AbortSignal): Promise<TranscriptionResult>
  close(): Promise<void>
}

export interface Translator {
  /**
   * Returns one translation per text, in order. Throws one sentence when it fails. Languages are codes, as in `en`.
   * `onProgress` takes the share that is done, between 0 and 1.
   */
  translate(
    texts: readonly string[],
    to: string,
    signal: AbortSignal,
    onProgress?: (share: number) => void,
  ): Promise<readonly string[]>
}
