// Speech to text with Moonshine base: English, offline, a few threads for all calls.

import { maskableWords } from '../alignment/maskable-words.ts'
import { type EngineIdle, EnginePool } from '../engine/engine-pool.ts'
import { moonshine as model } from '../models/catalogue.ts'
import { fetchModel, type ModelCache } from '../models/fetch-model.ts'
import type { Recognizer } from '../utterances/recognition-attempt.ts'
import { openSegments, type SegmentTranscriber } from '../utterances/segment-transcriber.ts'
import type { MoonshinePaths } from './moonshine-model.ts'
import type { MoonshineAnswer, MoonshineQuestion } from './moonshine-worker.ts'

export interface MoonshineTranscriber extends SegmentTranscriber {
  /** The words of one speech segment at 16 kHz, already trimmed. */
  transcribe(samples16k: Int16Array, signal?: AbortSignal): Promise<{ text: string }>
}

export interface MoonshineOptions extends ModelCache, EngineIdle {
  readonly threads?: number | undefined
}

// A final waits for each one before it about 0.1 of that one's length: beyond this many it is too late to be useful.
const queueLength = 32

export function moonshineTranscriber({ threads, idleMs, ...cache }: MoonshineOptions): MoonshineTranscriber {
  const pool = new EnginePool<MoonshinePaths, MoonshineQuestion, MoonshineAnswer>({
    name: 'the speech recognizer',
    file: new URL('./moonshine-worker.ts', import.meta.url),
    prepare: (signal) => fetchModel(model, { ...cache, signal }),
    threads,
    idleMs,
    queueLength,
    moved: ({ samples }) => [samples.buffer],
  })
  const recognizer = (isTimed: boolean): Recognizer => ({
    async recognise(segment, options) {
      const { text, words } = await pool.ask(() => ({ samples: segment(), isTimed }), options)
      return { text, words: words && maskableWords(words) }
    },
  })

  return {
    abilities: { ownEndpointing: true, eagerFinals: false, keyterms: false, languages: ['en'] },

    open: (options, signal) => openSegments(() => recognizer(options.wordTimes ?? false), options, signal),

    async transcribe(samples16k, signal) {
      const samples = Float32Array.from(samples16k, (sample) => sample / 32_768)
      const { text } = await pool.ask(() => ({ samples, isTimed: false }), { signal })
      return { text }
    },

    close: () => pool.close(),
  }
}
