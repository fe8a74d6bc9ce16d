// Text to speech by flite: English, instant, robotic; a few threads for all calls.
import type { TextSynthesizer } from '../../../ports/synthesizer.ts'
import { type EngineIdle, EnginePool } from '../engine/engine-pool.ts'
import { flite as model } from '../models/catalogue.ts'
import { fetchModel, type ModelCache } from '../models/fetch-model.ts'
import type { Sound } from '../voice/sound.ts'
import { speak } from '../voice/speak.ts'
import type { FlitePaths, Sentence } from './flite-worker.ts'
import { fliteVoice } from './voices.ts'

export interface FliteSynthesizer extends TextSynthesizer {
  close(): Promise<void>
}

export interface FliteOptions extends ModelCache, EngineIdle {
  readonly threads?: number | undefined
}

// A sentence takes about 100 ms: the last in the queue is ready after three seconds.
const queueLength = 32
// About 12 seconds of speech, synthesized in 100 ms.
const longestChars = 200

export function fliteSynthesizer({ threads, idleMs, ...cache }: FliteOptions): FliteSynthesizer {
  const pool = new EnginePool<FlitePaths, Sentence, Sound>({
    name: 'the speech synthesizer',
    file: new URL('./flite-worker.ts', import.meta.url),
    prepare: (signal) => fetchModel(model, { ...cache, signal }),
    threads,
    idleMs,
    queueLength,
  })
  return {
    synthesize: (text, { voice, rateHz }, signal) =>
      speak(text, {
        rateHz,
        signal,
        longestChars,
        make: (sentence, until) =>
          pool.ask(() => ({ text: sentence, voice: fliteVoice(voice), rateHz }), { signal: until }),
      }),
    close: () => pool.close(),
  }
}
