// Voice activity in recordings by Silero v5: as fast as the machine allows, in threads that give way to calls.
import { EnginePool, forRecordings, type RecordingEngine } from '../engine/engine-pool.ts'
import { silero as model } from '../models/catalogue.ts'
import { fetchModel, type ModelCache } from '../models/fetch-model.ts'
import type { SileroPaths } from './silero-worker.ts'
import type { HeardBlock, TrackBlock, TrackMemory } from './voice-track-worker.ts'

export interface VoiceTrack {
  /** Takes the next block at 16 kHz in whole windows of 32 ms; call it in sequence. */
  hear(samples: Int16Array<ArrayBuffer>, signal: AbortSignal): Promise<HeardBlock>
}

export interface VoiceTracker {
  open(): VoiceTrack
  close(): Promise<void>
}

export function sileroTracker(options: ModelCache & RecordingEngine): VoiceTracker {
  const pool = new EnginePool<SileroPaths, TrackBlock, HeardBlock>({
    name: 'the voice detector',
    file: new URL('./voice-track-worker.ts', import.meta.url),
    prepare: (signal) => fetchModel(model, { ...options, signal }),
    moved: ({ samples }) => [samples.buffer],
    ...forRecordings(options),
  })
  return {
    open() {
      let memory: TrackMemory | undefined
      return {
        async hear(samples, signal) {
          const heard = await pool.ask(() => ({ samples, memory }), { signal })
          memory = heard.memory
          return heard
        },
      }
    },
    close: () => pool.close(),
  }
}
