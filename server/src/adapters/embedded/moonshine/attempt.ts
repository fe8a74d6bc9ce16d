// One recognition of one stretch of a call's sound.
import type { Segment } from './moonshine-model.ts'

export interface Recognizer {
  /** A courtesy gives way to all that is not, also when it is under way. */
  recognise(segment: () => Segment, options: RecogniseOptions): Promise<string>
}

export interface RecogniseOptions {
  readonly signal: AbortSignal
  readonly courtesy: boolean
}

export interface Attempt {
  readonly words: Promise<string>
  /** Where the stretch ends; unknown while a partial waits for its turn. */
  readonly toMs: number | undefined
  readonly courtesy: boolean
  stop(): void
}

/** What was said in a stretch that will not grow any more. */
export function attemptWhole(
  recognizer: Recognizer,
  segment: Segment,
  toMs: number,
  signal: AbortSignal,
): Attempt {
  return attempt(recognizer, () => segment, { signal, courtesy: false, toMs: () => toMs })
}

/** What was said so far: the sound is taken when the recognizer gets to it. */
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
  return attempt(recognizer, segment, { signal, courtesy: true, toMs: () => takenMs })
}

interface How extends RecogniseOptions {
  readonly toMs: () => number | undefined
}

function attempt(recognizer: Recognizer, segment: () => Segment, { signal, courtesy, toMs }: How): Attempt {
  const stop = new AbortController()
  const until = AbortSignal.any([signal, stop.signal])
  const words = recognizer.recognise(segment, { signal: until, courtesy })
  // Whoever is owed the words meets the error; nobody is when the speaker went on.
  words.catch(() => {})
  return {
    words,
    courtesy,
    get toMs() {
      return toMs()
    },
    stop: () => stop.abort(),
  }
}
