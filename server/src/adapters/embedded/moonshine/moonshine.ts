// Speech to text with Moonshine base: English, offline, a few threads for all calls.
//
// Moonshine recognises whole segments, so segments are cut by the call's voice detector, and a growing segment is
// recognised again and again for its partials.
import type { Transcriber, TranscriptStream } from '../../../ports/transcriber.ts'
import { type EngineIdle, EnginePool } from '../engine/engine-pool.ts'
import { moonshine as model } from '../models/catalogue.ts'
import { fetchModel, type ModelCache } from '../models/fetch-model.ts'
import type { Recognizer } from './attempt.ts'
import type { MoonshinePaths, Segment } from './moonshine-model.ts'
import { TranscriptQueue } from './transcript-queue.ts'
import { Utterances } from './utterances.ts'

/** Needs the detector's events through `hear`; without them it recognises nothing. */
export type ToldStream = Required<TranscriptStream>

export interface MoonshineTranscriber extends Transcriber {
  open(...given: Parameters<Transcriber['open']>): ToldStream
  /** The words of one speech segment at 16 kHz, already trimmed. */
  transcribe(samples16k: Int16Array, signal?: AbortSignal): Promise<{ text: string }>
  close(): Promise<void>
}

export interface MoonshineOptions extends ModelCache, EngineIdle {
  readonly threads?: number | undefined
}

// A final waits for those before it at about 0.1 of real time each: beyond this many it is too late to be useful.
const queueLength = 32

export function moonshineTranscriber({ threads, idleMs, ...cache }: MoonshineOptions): MoonshineTranscriber {
  const pool = new EnginePool<MoonshinePaths, Segment, string>({
    name: 'the speech recognizer',
    file: new URL('./moonshine-worker.ts', import.meta.url),
    prepare: (signal) => fetchModel(model, { ...cache, signal }),
    threads,
    idleMs,
    queueLength,
    moved: (segment) => [segment.buffer],
  })
  const recognizer: Recognizer = { recognise: (segment, options) => pool.ask(segment, options) }

  return {
    abilities: { ownEndpointing: true, eagerFinals: false, keyterms: false, languages: ['en'] },

    open({ rateHz, endpointingMs }, signal) {
      const events = new TranscriptQueue()
      const utterances = new Utterances(recognizer, {
        rateHz,
        endpointingMs,
        signal,
        onEvent: (event) => events.push(event),
        onEnd: () => end(),
        onFailure: (error) => {
          events.fail(error)
          end()
        },
      })
      let open = true
      const end = () => {
        open = false
        events.end()
        signal.removeEventListener('abort', end)
      }
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
      return {
        write: (frame) => void (open && utterances.write(frame)),
        hear: (event) => void (open && utterances.hear(event)),
        finalize: () => void (open && utterances.finalize()),
        finish: () => void (open && utterances.finish()),
        [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
      }
    },

    async transcribe(samples16k, signal) {
      const segment = Float32Array.from(samples16k, (sample) => sample / 32_768)
      return { text: await pool.ask(() => segment, { signal }) }
    },

    close: () => pool.close(),
  }
}
