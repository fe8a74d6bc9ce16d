// The identity of a speaker as a place in a space of voices: Kaldi's x-vectors, offline, in any language.
import { type EngineIdle, type EngineNiceness, EnginePool, lowestNiceness } from '../engine/engine-pool.ts'
import { xvector as model } from '../models/catalogue.ts'
import { fetchModel, type ModelCache } from '../models/fetch-model.ts'
import type {
  VoicesToGroup,
  VoiceVector,
  VoiceWindows,
  XvectorAnswer,
  XvectorPaths,
  XvectorQuestion,
} from './xvector-worker.ts'

export interface SpeakerEmbedder {
  /** One unit vector per window: a dot product is the similarity of two voices. */
  embed(windows: VoiceWindows, signal: AbortSignal): Promise<readonly VoiceVector[]>
  /** Returns a speaker number per voice. */
  group(voices: VoicesToGroup, signal: AbortSignal): Promise<readonly number[]>
  close(): Promise<void>
}

// The queue is bounded by the callers: a recording has a few pieces in progress and waits for them.
const queueLength = Number.POSITIVE_INFINITY

export function xvectorEmbedder({
  threads,
  idleMs,
  niceness = lowestNiceness,
  ...cache
}: ModelCache & EngineIdle & EngineNiceness & { readonly threads: number }): SpeakerEmbedder {
  const pool = new EnginePool<XvectorPaths, XvectorQuestion, XvectorAnswer>({
    name: 'the speaker embedder',
    file: new URL('./xvector-worker.ts', import.meta.url),
    prepare: (signal) => fetchModel(model, { ...cache, signal }),
    threads,
    idleMs,
    queueLength,
    niceness,
  })
  return {
    async embed(windows, signal) {
      const answer = await pool.ask(() => ({ want: 'vectors', of: windows }), { signal })
      return answer.got === 'vectors' ? answer.vectors : []
    },
    async group(voices, signal) {
      const answer = await pool.ask(() => ({ want: 'people', of: voices }), { signal })
      return answer.got === 'people' ? answer.people : []
    },
    close: () => pool.close(),
  }
}
