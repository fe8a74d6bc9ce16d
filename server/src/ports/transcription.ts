// The port for transcribing a whole recording.

/** Raw samples in a local file: 16 kHz, mono, 16 bit, little-endian, no header. Any part may be read. */
export interface TranscriptionAudio {
  readonly pcmFile: string
  readonly durationSeconds: number
}

export interface TranscriptionOptions {
  /** ISO 639-1 in lower case, without a region. Absent: to be detected. */
  readonly language?: string | undefined
  /** Speaker diarization. Both bounds are always set: 1 and 20 by default, equal when the user knows the number. */
  readonly diarize?: { readonly minSpeakers: number; readonly maxSpeakers: number } | undefined
  /** Word timestamps. */
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
  /** Whose credentials are used, if it has some for the engine; undefined: the operator asks. */
  readonly workspaceId?: string | undefined
  readonly sound: TranscriptionAudio
  readonly wishes: TranscriptionOptions
  /** From 0 to 1, never decreasing; may be called as often as convenient. */
  onProgress(share: number): void
  readonly notes: TranscriptionCheckpoints
}

/**
 * What an earlier attempt at the same audio with the same options had found before its process died, such as the text of
 * each piece. An engine may continue from there. JSON by name; `put` never blocks, and is persisted within about a second.
 */
export interface TranscriptionCheckpoints {
  get(name: string): string | undefined
  put(name: string, json: string): void
}

/** Seconds from the beginning of the recording. */
export interface TranscribedWord {
  readonly word: string
  readonly startSeconds: number
  readonly endSeconds: number
  /** From 0 to 1; null: unknown to the engine. */
  readonly confidence: number | null
  /** From 0 on; null: not requested, or unknown. */
  readonly speaker: number | null
}

export interface TranscribedSegment {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly text: string
  readonly confidence: number | null
  readonly speaker: number | null
  /** Empty when alignment was not requested. */
  readonly words: readonly TranscribedWord[]
}

export interface TranscriptionResult {
  /** ISO 639-1; null without speech, or when undetectable. */
  readonly language: string | null
  readonly languageConfidence: number | null
  /** Ordered by start. Empty: no speech. */
  readonly segments: readonly TranscribedSegment[]
}

export interface TranscriptionEngine {
  /** As it appears in user-facing refusals. */
  readonly name: string
  /** Decided without loading anything: processes that never transcribe call it, too. */
  refusals(wishes: TranscriptionOptions): readonly TranscriptionRefusal[]
  /** Throws one sentence when the engine fails; the caller may retry. Rejects soon after the signal aborts. */
  transcribe(job: TranscriptionJob, signal: AbortSignal): Promise<TranscriptionResult>
  close(): Promise<void>
}

export interface Translator {
  /**
   * One translation per text, in order. Throws one sentence when it fails. Languages are codes, as in `en`. `onProgress`
   * is given the share that is done, between 0 and 1.
   */
  translate(
    texts: readonly string[],
    to: string,
    signal: AbortSignal,
    onProgress?: (share: number) => void,
  ): Promise<readonly string[]>
}
