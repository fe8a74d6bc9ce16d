// Speech to text by Moonshine base for recordings: words with their times, in threads that give way to calls.
import type { TimedWord } from '../alignment/word-times.ts'
import { type EngineIdle, EnginePool } from '../engine/engine-pool.ts'
import { moonshine as model } from '../models/catalogue.ts'
import { fetchModel, type ModelCache } from '../models/fetch-model.ts'
import type { MoonshinePaths } from './moonshine-model.ts'

export interface MoonshinePieces {
  /** At 16 kHz, with a little silence on both sides. */
  recognise(samples: Int16Array, signal: AbortSignal): Promise<readonly TimedWord[]>
  close(): Promise<void>
}

// Those who ask are the bound: a recording has a few pieces under way and waits for them.
const queueLength = Number.POSITIVE_INFINITY

export function moonshinePieces({
  threads,
  idleMs,
  ...cache
}: ModelCache & EngineIdle & { readonly threads: number }): MoonshinePieces {
  const pool = new EnginePool<MoonshinePaths, Int16Array, TimedWord[]>({
    name: 'the speech recognizer',
    file: new URL('./moonshine-piece-worker.ts', import.meta.url),
    prepare: (signal) => fetchModel(model, { ...cache, signal }),
    threads,
    idleMs,
    queueLength,
    gentle: true,
  })
  return {
    recognise: (samples, signal) => pool.ask(() => samples, { signal }),
    close: () => pool.close(),
  }
}
