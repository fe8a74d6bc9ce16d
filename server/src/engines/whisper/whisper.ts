// Speech to text with whisper for recordings: nearly a hundred languages, words with times, in low-priority threads.
import type { TimedWord } from '../alignment/word-times.ts'
import {
  EnginePool,
  type EnginePoolOptions,
  forRecordings,
  type RecordingEngine,
} from '../engine/engine-pool.ts'
import { floats } from '../features/floats.ts'
import { whisperBase, whisperSmall } from '../models/catalogue.ts'
import { fetchModel, type ModelCache } from '../models/fetch-model.ts'
import type { LanguageShare } from './languages.ts'
import type { WhisperPaths } from './whisper-model.ts'
import type { WhisperAnswer, WhisperQuestion } from './whisper-worker.ts'

export type WhisperSize = keyof typeof whisperModels

export interface Whisper {
  /** The languages, most likely first. */
  languages(samples: Int16Array, signal: AbortSignal): Promise<readonly LanguageShare[]>
  recognise(samples: Int16Array, language: string, signal: AbortSignal): Promise<readonly TimedWord[]>
  close(): Promise<void>
}

export interface WhisperOptions extends ModelCache, RecordingEngine {
  readonly size: WhisperSize
  readonly threads: number
}

export const whisperModels = { base: whisperBase, small: whisperSmall } as const

export const whisperPool = (
  size: WhisperSize,
  cache: ModelCache,
  options: Pick<EnginePoolOptions<never, never>, 'threads' | 'idleMs' | 'queueLength' | 'niceness'>,
) =>
  new EnginePool<WhisperPaths, WhisperQuestion, WhisperAnswer>({
    ...options,
    name: 'the speech recognizer for many languages',
    file: new URL('./whisper-worker.ts', import.meta.url),
    prepare: (signal) => fetchModel(whisperModels[size], { ...cache, signal }),
    moved: ({ samples }) => [samples.buffer],
  })

export function openWhisper({ size, threads, ...options }: WhisperOptions): Whisper {
  const pool = whisperPool(size, options, { threads, ...forRecordings(options) })
  return {
    async languages(samples, signal) {
      const answer = await pool.ask(() => ({ want: 'language', samples: floats(samples) }), { signal })
      return answer.got === 'language' ? answer.shares : []
    },
    async recognise(samples, language, signal) {
      const answer = await pool.ask(() => ({ want: 'words', samples: floats(samples), language }), { signal })
      return answer.got === 'words' ? answer.words : []
    },
    close: () => pool.close(),
  }
}
