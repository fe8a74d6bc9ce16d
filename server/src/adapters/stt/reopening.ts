// A transcriber that outlives its engine: when a stream breaks off in the middle of a sentence, another is opened and given
// the sound of that sentence again, so that every word is heard, and heard once. An engine that fails again within seconds
// is replaced by the next one, which gets the same sound.
//
// Time is counted in frames, as everywhere in a call.
import type { Frame } from '../../media/frame.ts'
import { EventQueue } from '../../platform/event-queue.ts'
import type {
  Transcriber,
  TranscriberOptions,
  TranscriptEvent,
  TranscriptStream,
} from '../../ports/transcriber.ts'
import type { VoiceEvent } from '../../ports/voice-detector.ts'
import { KeptSound } from './over-kept-sound.ts'

export interface ListeningEngine {
  /** In notes. */
  readonly label: string
  readonly transcriber: Transcriber
  /** It sends words while they are spoken: only then is its silence a fault. */
  readonly streaming: boolean
}

export interface ReopeningEvents {
  /** One sentence for the record of the call. */
  onNote(note: string): void
  /** The engine has failed for good: the one to go on with, or undefined if there is none. */
  next(error: Error): ListeningEngine | undefined
}

// Two failures within this: the engine is down. Further apart they are two accidents.
const soonMs = 5_000
// Before an engine is tried again that has never said anything; one that has is tried at once.
const backoffMs = 200
// The caller has finished, and a final was asked for. Vendors need 0.2 to 0.7 s.
const finalWithinMs = 1_300
// Words that nothing is heard of. Vendors send the first within 0.3 to 1.5 s.
const wordsWithinMs = 3_000
// A voice this young began after the words of a final that an engine sent by itself, since it waits for a silence.
const youngVoiceMs = 1_000

export function reopening(first: ListeningEngine, events: ReopeningEvents): Transcriber {
  const { transcriber } = first
  const opened = new Set([first])
  return {
    // Engines that do not accept them are not given any.
    abilities: { ...transcriber.abilities, keyterms: true },
    open: (options, signal) =>
      new ReopeningStream(first, options, signal, {
        onNote: (note) => events.onNote(note),
        next(error) {
          const engine = events.next(error)
          if (engine) opened.add(engine)
          return engine
        },
      }),
    ...(transcriber.warm && {
      warm: (options, signal) => transcriber.warm?.(options, signal) ?? Promise.resolve(),
    }),
    close() {
      for (const engine of opened) engine.transcriber.close?.()
    },
  }
}

interface Current {
  readonly stream: TranscriptStream
  readonly stop: AbortController
  /** The position at which its own positions begin. */
  readonly startMs: number
  hasSpoken: boolean
}

class ReopeningStream implements TranscriptStream {
  readonly #options: TranscriberOptions
  readonly #signal: AbortSignal
  readonly #events: ReopeningEvents
  readonly #queue = new EventQueue<TranscriptEvent>()
  readonly #kept = new KeptSound()
  #engine: ListeningEngine
  #current: Current | undefined
  #reopenAtMs = Number.POSITIVE_INFINITY
  #failedMs = Number.NEGATIVE_INFINITY
  /** There is a partial without its final. */
  #isOutstanding = false
  /** Where a final was last asked for, if none has come since. */
  #askedMs: number | undefined
  /** When the engine last said anything, or had no reason to. */
  #answeredMs = 0
  #isOver = false

  constructor(
    engine: ListeningEngine,
    options: TranscriberOptions,
    signal: AbortSignal,
    events: ReopeningEvents,
  ) {
    this.#engine = engine
    this.#options = options
    this.#signal = signal
    this.#events = events
    const end = () => {
      this.#isOver = true
      this.#current?.stop.abort()
      this.#queue.clear()
    }
    if (signal.aborted) end()
    else {
      signal.addEventListener('abort', end, { once: true })
      this.#open()
    }
  }

  write(frame: Frame): void {
    if (this.#isOver) return
    this.#kept.write(frame, this.#isOutstanding)
    if (this.#current) {
      this.#use(this.#current, ({ stream }) => stream.write(frame))
      this.#expectAnswer()
    } else if (this.#kept.toMs >= this.#reopenAtMs) this.#open()
  }

  hear(event: VoiceEvent): void {
    this.#kept.hear(event)
    if (event.type === 'failed' || !this.#current) return
    this.#use(this.#current, ({ stream, startMs }) => stream.hear?.({ ...event, atMs: event.atMs - startMs }))
  }

  finalize(): void {
    this.#askedMs = this.#kept.toMs
    if (this.#current) this.#use(this.#current, ({ stream }) => stream.finalize?.())
  }

  finish(): void {
    if (!this.#current) this.#end()
    else this.#use(this.#current, ({ stream }) => stream.finish())
    this.#isOver = true
  }

  [Symbol.asyncIterator](): AsyncIterator<TranscriptEvent> {
    return this.#queue[Symbol.asyncIterator]()
  }

  #open(): void {
    const { transcriber } = this.#engine
    const stop = new AbortController()
    const { keyterms, ...others } = this.#options
    try {
      const stream = transcriber.open(
        transcriber.abilities.keyterms ? { ...others, keyterms } : others,
        AbortSignal.any([this.#signal, stop.signal]),
      )
      const current = { stream, stop, startMs: this.#kept.replay(stream), hasSpoken: false }
      this.#current = current
      this.#answeredMs = this.#kept.toMs
      if (this.#askedMs !== undefined) stream.finalize?.()
      void this.#read(current).catch((error) => this.#fail(current, error))
    } catch (error) {
      this.#fail(undefined, error)
    }
  }

  async #read(current: Current): Promise<void> {
    for await (const event of current.stream) {
      if (this.#current !== current) return
      current.hasSpoken = true
      this.#answeredMs = this.#kept.toMs
      this.#follow(event, current)
      this.#queue.push(inOurTime(event, current.startMs))
    }
    if (this.#isOver) this.#end()
    else throw new Error(`${this.#engine.label} stopped listening.`)
  }

  #follow(event: TranscriptEvent, { startMs }: Current): void {
    if (event.type === 'partial') this.#isOutstanding = event.text !== ''
    if (event.type !== 'final') return
    this.#isOutstanding = false
    this.#kept.cutTo(this.#endOf(event.endMs === undefined ? undefined : startMs + event.endMs))
    this.#askedMs = undefined
  }

  /** Where the words of a final end. */
  #endOf(toldMs: number | undefined): number {
    const { toMs, voiceFromMs = toMs } = this.#kept
    return toldMs ?? this.#askedMs ?? (toMs - voiceFromMs < youngVoiceMs ? voiceFromMs : toMs)
  }

  /** A stream that takes sound and says nothing has failed as well. */
  #expectAnswer(): void {
    if (!this.#engine.streaming || !this.#current) return
    const { toMs, voiceFromMs } = this.#kept
    const isAsked = this.#askedMs !== undefined && this.#isOutstanding
    if (voiceFromMs === undefined && !isAsked) this.#answeredMs = toMs
    const quietMs = toMs - Math.max(this.#answeredMs, isAsked ? (this.#askedMs ?? 0) : 0)
    if (quietMs > (isAsked ? finalWithinMs : wordsWithinMs))
      this.#fail(this.#current, new Error(`${this.#engine.label} does not answer.`))
  }

  #use(current: Current, act: (current: Current) => void): void {
    try {
      act(current)
    } catch (error) {
      this.#fail(current, error)
    }
  }

  #fail(failed: Current | undefined, cause: unknown): void {
    if (this.#isOver) this.#end()
    if (this.#isOver || this.#current !== failed) return
    const error = cause instanceof Error ? cause : new Error(String(cause))
    const nowMs = this.#kept.toMs
    const isSoon = nowMs - this.#failedMs < soonMs
    this.#current = undefined
    failed?.stop.abort()
    this.#failedMs = nowMs
    if (isSoon) this.#replace(error)
    else {
      this.#events.onNote(`The speech recognizer failed and was opened again: ${error.message}`)
      this.#reopenAtMs = nowMs + (failed?.hasSpoken ? 0 : backoffMs)
      if (failed?.hasSpoken) this.#open()
    }
  }

  #replace(error: Error): void {
    const next = this.#events.next(error)
    if (!next) {
      this.#isOver = true
      this.#queue.fail(error)
      return
    }
    this.#engine = next
    this.#failedMs = Number.NEGATIVE_INFINITY
    this.#open()
  }

  #end(): void {
    this.#isOver = true
    this.#queue.end()
  }
}

/** An engine counts from where it was opened. */
const inOurTime = (event: TranscriptEvent, startMs: number): TranscriptEvent =>
  event.type !== 'final' || !event.words
    ? event
    : {
        ...event,
        words: event.words.map((word) => ({
          ...word,
          startMs: startMs + word.startMs,
          endMs: startMs + word.endMs,
        })),
      }
