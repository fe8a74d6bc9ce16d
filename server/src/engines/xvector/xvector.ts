// The identity of a speaker as a place in a space of voices: Kaldi's x-vectors, offline, in any language.
import { EnginePool, forRecordings, type RecordingEngine } from '../engine/engine-pool.ts'
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

export function xvectorEmbedder({
  threads,
  ...options
}: ModelCache & RecordingEngine & { readonly threads: number }): SpeakerEmbedder {
  const pool = new EnginePool<XvectorPaths, XvectorQuestion, XvectorAnswer>({
    name: 'the speaker embedder',
    file: new URL('./xvector-worker.ts', import.meta.url),
    prepare: (signal) => fetchModel(model, { ...options, signal }),
    threads,
    ...forRecordings(options),
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
