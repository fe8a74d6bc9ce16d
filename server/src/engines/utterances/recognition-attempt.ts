// One recognition of one stretch of a call's audio.
import type { HeardWord } from '../../ports/transcriber.ts'

/** The samples of a segment at 16 kHz, between -1 and 1, trimmed to the speech. */
export type Segment = Float32Array<ArrayBuffer>

export interface RecognizedText {
  readonly text: string
  /** The times of its words in the segment, if they are wanted. */
  readonly words?: readonly HeardWord[] | undefined
}

export interface Recognizer {
  /** Recognises a segment. A preemptible recognition yields to all others, even while running. */
  recognise(segment: () => Segment, options: RecogniseOptions): Promise<RecognizedText>
}

export interface RecogniseOptions {
  readonly signal: AbortSignal
  readonly preemptible: boolean
}

export interface RecognitionAttempt {
  /** The text, with the times of its words in the audio of the call. */
  readonly recognized: Promise<RecognizedText>
  /** The end of the stretch; unknown while a partial is queued. */
  readonly toMs: number | undefined
  readonly preemptible: boolean
  stop(): void
}

/** Recognises a stretch that is complete. */
export function attemptWhole(
  recognizer: Recognizer,
  segment: Segment,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  signal: AbortSignal,
): RecognitionAttempt {
  return attempt(recognizer, () => segment, { signal, preemptible: false, fromMs, toMs: () => toMs })
}

/** Recognises what there is so far: the audio is taken when the recognizer gets to it. */
export function attemptSoFar(
  recognizer: Recognizer,
  take: () => { segment: Segment; toMs: number },
  fromMs: number,
  signal: AbortSignal,
): RecognitionAttempt {
  let takenMs: number | undefined
  const segment = () => {
    const taken = take()
    takenMs = taken.toMs
    return taken.segment
  }
  return attempt(recognizer, segment, { signal, preemptible: true, fromMs, toMs: () => takenMs })
}

interface How extends RecogniseOptions {
  readonly fromMs: number
  readonly toMs: () => number | undefined
}

function attempt(
  recognizer: Recognizer,
  segment: () => Segment,
  { signal, preemptible, fromMs, toMs }: How,
): RecognitionAttempt {
  const stop = new AbortController()
  const until = AbortSignal.any([signal, stop.signal])
  const recognized = recognizer
    .recognise(segment, { signal: until, preemptible })
    .then(({ text, words }) => ({ text, words: words?.map((word) => laterBy(fromMs, word)) }))
  // Rejections surface where the words are awaited, which may be nowhere if the speaker continued.
  recognized.catch(() => {})
  return {
    recognized,
    preemptible,
    get toMs() {
      return toMs()
    },
    stop: () => stop.abort(),
  }
}

const laterBy = (ms: number, word: HeardWord): HeardWord => ({
  text: word.text,
  startMs: word.startMs + ms,
  endMs: word.endMs + ms,
})
