// Speech to text with Moonshine base: English, offline, a few threads for all calls, others for recordings.

import { maskableWords } from '../alignment/maskable-words.ts'
import type { TimedWord } from '../alignment/word-times.ts'
import {
  type EngineIdle,
  EnginePool,
  type EnginePoolOptions,
  forRecordings,
  type RecordingEngine,
} from '../engine/engine-pool.ts'
import { floats } from '../features/floats.ts'
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

const moonshinePool = (
  cache: ModelCache,
  options: Pick<EnginePoolOptions<never, never>, 'threads' | 'idleMs' | 'queueLength' | 'niceness'>,
) =>
  new EnginePool<MoonshinePaths, MoonshineQuestion, MoonshineAnswer>({
    ...options,
    name: 'the speech recognizer',
    file: new URL('./moonshine-worker.ts', import.meta.url),
    prepare: (signal) => fetchModel(model, { ...cache, signal }),
    moved: ({ samples }) => [samples.buffer],
  })

export function moonshineTranscriber({ threads, idleMs, ...cache }: MoonshineOptions): MoonshineTranscriber {
  const pool = moonshinePool(cache, { threads, idleMs, queueLength })
  const recognizer = (isTimed: boolean): Recognizer => ({
    async recognise(segment, options) {
      const { text, words } = await pool.ask(() => ({ samples: segment(), isTimed }), options)
      return { text, words: words && maskableWords(words) }
    },
  })

  return {
    abilities: { keyterms: false, languages: ['en'] },

    open: (options, signal) => openSegments(() => recognizer(options.wordTimes ?? false), options, signal),

    load: () => pool.load(),

    async transcribe(samples16k, signal) {
      const { text } = await pool.ask(() => ({ samples: floats(samples16k), isTimed: false }), { signal })
      return { text }
    },

    close: () => pool.close(),
  }
}

export interface MoonshinePieces {
  /** Recognises a piece at 16 kHz, with a margin of silence on both sides: words with times, in low-priority threads. */
  recognise(samples: Int16Array, signal: AbortSignal): Promise<readonly TimedWord[]>
  close(): Promise<void>
}

export function moonshinePieces({
  threads,
  ...options
}: ModelCache & RecordingEngine & { readonly threads: number }): MoonshinePieces {
  const pool = moonshinePool(options, { threads, ...forRecordings(options) })
  return {
    async recognise(samples, signal) {
      const { words = [] } = await pool.ask(() => ({ samples: floats(samples), isTimed: true }), { signal })
      return words
    },
    close: () => pool.close(),
  }
}
