// A transcriber and a voice detector in memory, which report what the test tells them to.
import type { Frame } from '../../../src/media/frame.ts'
import type { Transcriber, TranscriptEvent, TranscriptStream } from '../../../src/ports/transcriber.ts'
import type { VoiceDetector, VoiceEvent } from '../../../src/ports/voice-detector.ts'

type EventWaiter = {
  resolve: (result: IteratorResult<TranscriptEvent>) => void
  reject: (error: Error) => void
}

class ScriptedStream implements TranscriptStream {
  readonly #events: TranscriptEvent[] = []
  #waiting: EventWaiter | undefined
  #error: Error | undefined
  frames = 0
  asked = 0
  finished = false
  heard: VoiceEvent[] = []

  write(_frame: Frame): void {
    this.frames++
  }

  hear(event: VoiceEvent): void {
    this.heard.push(event)
  }

  finalize(): void {
    this.asked++
  }

  finish(): void {
    this.finished = true
  }

  push(event: TranscriptEvent): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting) waiting.resolve({ value: event, done: false })
    else this.#events.push(event)
  }

  fail(error: Error): void {
    this.#error = error
    this.#waiting?.reject(error)
  }

  [Symbol.asyncIterator](): AsyncIterator<TranscriptEvent> {
    return {
      next: () => {
        const event = this.#events.shift()
        if (event) return Promise.resolve({ value: event, done: false })
        if (this.#error) return Promise.reject(this.#error)
        return new Promise((resolve, reject) => {
          this.#waiting = { resolve, reject }
        })
      },
    }
  }
}

export class ScriptedTranscriber implements Transcriber {
  readonly abilities = {
    keyterms: false,
    languages: 'any',
  } as const
  readonly streams: ScriptedStream[] = []
  readonly signals: AbortSignal[] = []
  refuses = 0

  open(_options: unknown, signal: AbortSignal): ScriptedStream {
    if (this.refuses-- > 0) throw new Error('The recognizer is away.')
    const stream = new ScriptedStream()
    this.streams.push(stream)
    this.signals.push(signal)
    return stream
  }

  get now(): ScriptedStream {
    const stream = this.streams.at(-1)
    if (!stream) throw new Error('no stream is open')
    return stream
  }
}

interface OpenDetection {
  readonly onEvent: (event: VoiceEvent) => void
  heardMs: number
}

/** A detector whose reports go to the stream that was opened last and is still open. */
export class ScriptedDetector implements VoiceDetector {
  readonly #open: OpenDetection[] = []

  get streamsOpen(): number {
    return this.#open.length
  }

  open(_rateHz: unknown, onEvent: (event: VoiceEvent) => void) {
    const detecting = { onEvent, heardMs: 0 }
    this.#open.push(detecting)
    return {
      write: (_frame: Frame) => {
        detecting.heardMs += 20
      },
      close: () => {
        this.#open.splice(this.#open.indexOf(detecting), 1)
      },
    }
  }

  tell(type: 'speech-start' | 'speech-end', agoMs = 0): void {
    const last = this.#open.at(-1)
    last?.onEvent({ type, atMs: last.heardMs - agoMs })
  }

  fail(): void {
    this.#open.at(-1)?.onEvent({ type: 'failed', reason: 'The detector is away.' })
  }

  async close(): Promise<void> {}
}
