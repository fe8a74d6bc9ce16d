// One recognition of one stretch of a call's audio.

/** At 16 kHz, between -1 and 1, trimmed to the speech. */
export type Segment = Float32Array<ArrayBuffer>

export interface Recognizer {
  /** A preemptible one yields to all others, even while running. */
  recognise(segment: () => Segment, options: RecogniseOptions): Promise<string>
}

export interface RecogniseOptions {
  readonly signal: AbortSignal
  readonly preemptible: boolean
}

export interface Attempt {
  readonly words: Promise<string>
  /** End of the stretch; unknown while a partial is queued. */
  readonly toMs: number | undefined
  readonly preemptible: boolean
  stop(): void
}

/** Recognises a stretch that is complete. */
export function attemptWhole(
  recognizer: Recognizer,
  segment: Segment,
  toMs: number,
  signal: AbortSignal,
): Attempt {
  return attempt(recognizer, () => segment, { signal, preemptible: false, toMs: () => toMs })
}

/** Recognises what there is so far: the audio is taken when the recognizer gets to it. */
export function attemptSoFar(
  recognizer: Recognizer,
  take: () => { segment: Segment; toMs: number },
  signal: AbortSignal,
): Attempt {
  let takenMs: number | undefined
  const segment = () => {
    const taken = take()
    takenMs = taken.toMs
    return taken.segment
  }
  return attempt(recognizer, segment, { signal, preemptible: true, toMs: () => takenMs })
}

interface How extends RecogniseOptions {
  readonly toMs: () => number | undefined
}

function attempt(
  recognizer: Recognizer,
  segment: () => Segment,
  { signal, preemptible, toMs }: How,
): Attempt {
  const stop = new AbortController()
  const until = AbortSignal.any([signal, stop.signal])
  const words = recognizer.recognise(segment, { signal: until, preemptible })
  // Rejections surface where the words are awaited, which may be nowhere if the speaker continued.
  words.catch(() => {})
  return {
    words,
    preemptible,
    get toMs() {
      return toMs()
    },
    stop: () => stop.abort(),
  }
}
