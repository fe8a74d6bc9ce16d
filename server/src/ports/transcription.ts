// What the speech-to-text service asks of anything that turns a whole recording into a transcript.

/** Samples without a header in a file of this machine: 16 kHz, mono, 16 bit, little-endian. Any part may be read. */
export interface TranscriptionAudio {
  readonly pcmFile: string
  readonly durationSeconds: number
}

export interface TranscriptionOptions {
  /** ISO 639-1 in lower case, without a region. Absent: to be found out. */
  readonly language?: string | undefined
  /** Who speaks when. Both bounds are always there: 1 and 20 when the user named none, equal when he knows. */
  readonly diarize?: { readonly minSpeakers: number; readonly maxSpeakers: number } | undefined
  /** Times of every word. */
  readonly align: boolean
  /** Names and words to be expected. */
  readonly keyterms: readonly string[]
}

/** A wish that the engine cannot serve; the sentence names the engine and what would mend it. */
export interface TranscriptionRefusal {
  readonly option: keyof TranscriptionOptions
  readonly sentence: string
}

export interface TranscriptionJob {
  readonly sound: TranscriptionAudio
  readonly wishes: TranscriptionOptions
  /** From 0 to 1, never falling; may come as often as it likes. */
  onProgress(share: number): void
  readonly notes: TranscriptionCheckpoints
}

/**
 * What an earlier attempt at the same sound with the same wishes has found before its process died, such as the text of
 * each piece. An engine may go on from there. JSON by name; `put` never waits, and is kept within a second or so.
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
  /** From 0 to 1; null: the engine does not know. */
  readonly confidence: number | null
  /** From 0 on; null: not asked for, or unknown. */
  readonly speaker: number | null
}

export interface TranscribedSegment {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly text: string
  readonly confidence: number | null
  readonly speaker: number | null
  /** Empty when alignment was not asked for. */
  readonly words: readonly TranscribedWord[]
}

export interface TranscriptionResult {
  /** ISO 639-1; null when nobody speaks or nobody can tell. */
  readonly language: string | null
  readonly languageConfidence: number | null
  /** In order of their start. None: nobody speaks. */
  readonly segments: readonly TranscribedSegment[]
}

export interface TranscriptionEngine {
  /** As the user reads it in refusals. */
  readonly name: string
  /** Decided without loading anything: also a process that never transcribes asks. */
  refusals(wishes: TranscriptionOptions): readonly TranscriptionRefusal[]
  /** Throws one sentence when the engine fails; the caller may try again. Rejects soon after the signal aborts. */
  transcribe(job: TranscriptionJob, signal: AbortSignal): Promise<TranscriptionResult>
  close(): Promise<void>
}
