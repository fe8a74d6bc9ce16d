// Speech to text with Moonshine base for recordings: words with times, in low-priority threads.
import type { TimedWord } from '../alignment/word-times.ts'
import { type EngineIdle, type EngineNiceness, EnginePool, lowestNiceness } from '../engine/engine-pool.ts'
import { moonshine as model } from '../models/catalogue.ts'
import { fetchModel, type ModelCache } from '../models/fetch-model.ts'
import type { MoonshinePaths } from './moonshine-model.ts'

export interface MoonshinePieces {
  /** Recognises a piece at 16 kHz, with a margin of silence on both sides. */
  recognise(samples: Int16Array, signal: AbortSignal): Promise<readonly TimedWord[]>
  close(): Promise<void>
}

// The queue is bounded by the callers: a recording has a few pieces in progress and waits for them.
const queueLength = Number.POSITIVE_INFINITY

export function moonshinePieces({
  threads,
  idleMs,
  niceness = lowestNiceness,
  ...cache
}: ModelCache & EngineIdle & EngineNiceness & { readonly threads: number }): MoonshinePieces {
  const pool = new EnginePool<MoonshinePaths, Int16Array, TimedWord[]>({
    name: 'the speech recognizer',
    file: new URL('./moonshine-piece-worker.ts', import.meta.url),
    prepare: (signal) => fetchModel(model, { ...cache, signal }),
    threads,
    idleMs,
    queueLength,
    niceness,
  })
  return {
    recognise: (samples, signal) => pool.ask(() => samples, { signal }),
    close: () => pool.close(),
  }
}
