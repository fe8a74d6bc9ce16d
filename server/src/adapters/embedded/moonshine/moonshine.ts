// Speech to text by Moonshine base: English, offline, one thread for all calls.
//
// Moonshine hears whole segments, so the voice detector cuts them and a segment that still grows is recognised again
// and again for its partials.
import type { Transcriber } from '../../../ports/transcriber.ts'
import type { VoiceDetector } from '../../../ports/voice-detector.ts'
import { EngineThread } from '../engine/engine-thread.ts'
import { moonshine as model } from '../models/catalogue.ts'
import { fetchModel, type ModelCache } from '../models/fetch-model.ts'
import { windowMs } from '../silero/batch.ts'
import type { MoonshinePaths, Segment } from './moonshine-worker.ts'
import { TranscriptQueue } from './transcript-queue.ts'
import { type Recognizer, Utterances } from './utterances.ts'

export interface MoonshineTranscriber extends Transcriber {
  /** The words of one voice segment at 16 kHz, already cut to the voice. */
  transcribe(samples16k: Int16Array, signal?: AbortSignal): Promise<{ text: string }>
  close(): Promise<void>
}

// A final waits for those before it at some 0.1 of real time each: past this many it comes too late to be an answer.
const queueLength = 32
// Long enough for a breath inside a sentence.
const defaultEndpointingMs = 500

export function moonshineTranscriber(options: ModelCache, detector: VoiceDetector): MoonshineTranscriber {
  const thread = new EngineThread<MoonshinePaths, Segment, string>({
    name: 'the speech recognizer',
    file: new URL('./moonshine-worker.ts', import.meta.url),
    prepare: (signal) => fetchModel(model, { ...options, signal }),
    queueLength,
  })
  const recognizer: Recognizer = {
    get idle() {
      return thread.idle
    },
    recognise: (segment, signal) => thread.ask(segment, { moved: [segment.buffer], signal }),
  }

  return {
    open({ rateHz, endpointingMs = defaultEndpointingMs }, signal) {
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
      const voice = detector.open(rateHz, (event) => utterances.hear(event))
      let open = true
      const end = () => {
        open = false
        voice.close()
        events.end()
        signal.removeEventListener('abort', end)
      }
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
      return {
        write(frame) {
          if (!open) return
          utterances.write(frame)
          voice.write(frame)
        },
        finish: () => utterances.finish(windowMs),
        [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
      }
    },

    async transcribe(samples16k, signal) {
      const segment = Float32Array.from(samples16k, (sample) => sample / 32_768)
      return { text: await thread.ask(segment, { moved: [segment.buffer], signal }) }
    },

    close: () => thread.close(),
  }
}
