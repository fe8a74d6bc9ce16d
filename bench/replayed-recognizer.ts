// The real recognizer on a virtual clock: results arrive as late as they took, and no audio is recognised twice.
import { createHash } from 'node:crypto'
import type { MoonshineTranscriber } from '../server/src/engines/moonshine/moonshine.ts'
import type { RecognizedText, Recognizer } from '../server/src/engines/utterances/recognition-attempt.ts'
import { TranscriptQueue } from '../server/src/engines/utterances/segment-transcriber.ts'
import { Utterances } from '../server/src/engines/utterances/utterances.ts'
import type { Transcriber } from '../server/src/ports/transcriber.ts'

interface RecordedAnswer {
  readonly text: string
  readonly tookMs: number
}

export class ReplayedRecognizer {
  readonly #engine: MoonshineTranscriber
  readonly #known = new Map<string, RecordedAnswer>()
  #asked: Promise<unknown> = Promise.resolve()
  #due: { readonly atMs: number; readonly tell: () => void }[] = []
  #nowMs = 0

  constructor(engine: MoonshineTranscriber) {
    this.#engine = engine
  }

  /** Duration of each recognition; each audio once. */
  get tookMs(): readonly number[] {
    return [...this.#known.values()].map(({ tookMs }) => tookMs)
  }

  /** A new conversation, with the clock at zero. */
  begin(): Transcriber {
    this.#due = []
    this.#nowMs = 0
    const recognizer: Recognizer = {
      recognise: (segment, { signal }) => this.#recognise(segment(), signal),
    }
    return {
      abilities: { keyterms: false, languages: ['en'] },
      open({ rateHz, endpointingMs }, signal) {
        const events = new TranscriptQueue()
        signal.addEventListener('abort', () => events.end(), { once: true })
        const utterances = new Utterances(recognizer, {
          rateHz,
          endpointingMs,
          signal,
          onEvent: (event) => events.push(event),
          onEnd: () => events.end(),
          onFailure: (error) => events.fail(error),
        })
        return {
          write: (frame) => utterances.write(frame),
          hear: (event) => utterances.hear(event),
          finalize: () => utterances.finalize(),
          finish: () => utterances.finish(),
          [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
        }
      },
    }
  }

  /** Computes all pending recognitions, and delivers those that are due. */
  async moveTo(nowMs: number): Promise<void> {
    await this.#asked
    this.#nowMs = nowMs
    for (const { atMs, tell } of this.#due) if (atMs <= nowMs) tell()
    this.#due = this.#due.filter(({ atMs }) => atMs > nowMs)
  }

  #recognise(segment: Float32Array, signal: AbortSignal): Promise<RecognizedText> {
    const { promise, resolve, reject } = Promise.withResolvers<RecognizedText>()
    const askedMs = this.#nowMs
    signal.addEventListener('abort', () => reject(new Error('nobody waits for it')), { once: true })
    this.#asked = this.#asked.then(async () => {
      const { text, tookMs } = await this.#recall(segment)
      this.#due.push({ atMs: askedMs + tookMs, tell: () => resolve({ text }) })
    })
    return promise
  }

  async #recall(segment: Float32Array): Promise<RecordedAnswer> {
    const key = createHash('sha1').update(new Uint8Array(segment.buffer)).digest('base64')
    const known = this.#known.get(key)
    if (known) return known
    const begunMs = performance.now()
    const { text } = await this.#engine.transcribe(Int16Array.from(segment, (sample) => sample * 32_768))
    const recalled = { text, tookMs: performance.now() - begunMs }
    this.#known.set(key, recalled)
    return recalled
  }
}
