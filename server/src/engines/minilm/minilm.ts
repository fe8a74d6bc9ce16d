// Sentence embeddings with MiniLM-L6-v2: English, offline, one thread for all calls.
import type { Embedder } from '../../ports/embedder.ts'
import { type EngineIdle, EnginePool } from '../engine/engine-pool.ts'
import { minilm as model } from '../models/catalogue.ts'
import { fetchModel, type ModelCache } from '../models/fetch-model.ts'
import type { MiniLmPaths, Vector } from './minilm-worker.ts'

export interface MiniLmEmbedder extends Embedder {
  close(): Promise<void>
}

// Large documents are embedded in batches of this size, so that a caller's question waits for one batch at most.
const bundleTexts = 8
// A batch takes tens of milliseconds: the last in the queue is done within two seconds.
const queueLength = 64

export function miniLmEmbedder({ idleMs, ...cache }: ModelCache & EngineIdle): MiniLmEmbedder {
  const pool = new EnginePool<MiniLmPaths, readonly string[], Vector[]>({
    name: 'the sentence embedder',
    file: new URL('./minilm-worker.ts', import.meta.url),
    prepare: (signal) => fetchModel(model, { ...cache, signal }),
    idleMs,
    queueLength,
  })
  return {
    async embed(texts, signal) {
      const vectors: Vector[] = []
      for (let from = 0; from < texts.length; from += bundleTexts) {
        const bundle = texts.slice(from, from + bundleTexts)
        vectors.push(...(await pool.ask(() => bundle, { signal })))
      }
      return vectors
    },
    load: () => void pool.load().catch(() => {}),
    close: () => pool.close(),
  }
}
