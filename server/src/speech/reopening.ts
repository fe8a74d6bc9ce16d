// A transcriber that outlives its engine: when a stream breaks off in the middle of a sentence, another is opened and given
// the sound of that sentence again, so that every word is heard, and heard once. An engine that fails again within seconds,
// or keeps a caller waiting, is replaced by the next one, which gets the same sound.
//
// Time is counted in frames, as everywhere in a call.
import { type Frame, frameMs } from '../media/frame.ts'
import type {
  Transcriber,
  TranscriberOptions,
  TranscriptEvent,
  TranscriptStream,
} from '../ports/transcriber.ts'
import type { VoiceEvent } from '../ports/voice-detector.ts'
import { KeptSound } from '../vendors/over/hears/kept-sound.ts'
import { EventQueue } from '../vendors/over/wire/event-queue.ts'
import { VendorLate } from '../vendors/over/wire/vendor-failure.ts'

export interface ListeningEngine {
  /** In notes. */
  readonly label: string
  readonly transcriber: Transcriber
  /** It sends words while they are spoken: only then is its silence a fault. */
  readonly streaming: boolean
  /** Settings of the agent that this engine lacks: noted in the call when it takes over. */
  readonly unmet?: string | undefined
}

export interface ReopeningEvents {
  /** One sentence for the record of the call. */
  onNote(note: string): void
  /** A stream of the engine has said something: it works. */
  onHeard(engine: ListeningEngine): void
  /** The engine has failed for good: the one to go on with, or undefined if there is none. */
  next(error: Error): ListeningEngine | undefined
}

// Two failures within this: the engine is down. Further apart they are two accidents.
const soonMs = 5_000
// Before an engine is tried again that has never said anything; one that has is tried at once.
const backoffMs = 200
// The caller has finished, and a final was asked for. Vendors need 0.2 to 0.7 s.
const finalWithinMs = 1_300
// Speech for which the engine has sent no words, in one piece or in several. Vendors send the first words within 0.3 to 1.5 s.
const wordsWithinMs = 3_000
// How much speech without words is kept: as long as it takes to replace engines that cannot be reached.
const unheardMs = 5_000
// Speech that began this recently is not part of a final that an engine sent by itself, since that waits for a silence.
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
        onHeard: (engine) => events.onHeard(engine),
        next(error) {
          const engine = events.next(error)
          if (engine) opened.add(engine)
          return engine
        },
      }),
    ...(transcriber.warm && {
      warm: (options, signal) => transcriber.warm?.(wishesFor(first, options), signal) ?? Promise.resolve(),
    }),
    close() {
      for (const engine of opened) engine.transcriber.close?.()
    },
  }
}

/** An engine that takes no terms gets none; what it is warmed up for is what it is opened for. */
const wishesFor = (
  { transcriber }: ListeningEngine,
  { keyterms, ...others }: TranscriberOptions,
): TranscriberOptions => (transcriber.abilities.keyterms ? { ...others, keyterms } : others)

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
  /** When the engine last said anything, and how much voice it has got since. */
  #answeredMs = 0
  #unansweredMs = 0
  /** Until then the sound of the last voice is kept, heard or not. */
  #keptUntilMs = 0
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
    this.#kept.write(frame, this.#isOutstanding || this.#kept.toMs < this.#keptUntilMs)
    if (this.#current) {
      this.#use(this.#current, ({ stream }) => stream.write(frame))
      this.#expectAnswer()
    } else if (this.#kept.toMs >= this.#reopenAtMs) this.#open()
  }

  hear(event: VoiceEvent): void {
    this.#kept.hear(event)
    if (event.type === 'speech-end') this.#keptUntilMs = this.#kept.toMs + unheardMs
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
    try {
      const stream = transcriber.open(
        wishesFor(this.#engine, this.#options),
        AbortSignal.any([this.#signal, stop.signal]),
      )
      const current = { stream, stop, startMs: this.#kept.replay(stream), hasSpoken: false }
      this.#current = current
      this.#answered()
      if (this.#askedMs !== undefined) stream.finalize?.()
      void this.#read(current).catch((error) => this.#fail(current, error))
    } catch (error) {
      this.#fail(undefined, error)
    }
  }

  async #read(current: Current): Promise<void> {
    for await (const event of current.stream) {
      if (this.#current !== current) return
      if (!current.hasSpoken) this.#events.onHeard(this.#engine)
      current.hasSpoken = true
      this.#answered()
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

  #answered(): void {
    this.#answeredMs = this.#kept.toMs
    this.#unansweredMs = 0
  }

  /** A stream that takes sound and says nothing has failed as well. */
  #expectAnswer(): void {
    if (!this.#engine.streaming || !this.#current) return
    const { toMs, voiceFromMs } = this.#kept
    if (voiceFromMs !== undefined) this.#unansweredMs += frameMs
    const askedMs = this.#isOutstanding ? this.#askedMs : undefined
    const silence = `${this.#engine.label} does not answer.`
    if (askedMs !== undefined && toMs - Math.max(this.#answeredMs, askedMs) > finalWithinMs)
      this.#fail(this.#current, new VendorLate(silence))
    else if (this.#unansweredMs > wordsWithinMs) this.#fail(this.#current, new Error(silence))
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
    // The caller has waited once; a second time would be too long, unless nobody else can be asked.
    if ((isSoon || isLate(error)) && this.#replace(error)) return
    if (isSoon) {
      this.#isOver = true
      this.#queue.fail(error)
      return
    }
    this.#events.onNote(`The speech recognizer failed and was opened again: ${error.message}`)
    this.#reopenAtMs = nowMs + (failed?.hasSpoken ? 0 : backoffMs)
    if (failed?.hasSpoken) this.#open()
  }

  /** Whether there is another one to go on with. */
  #replace(error: Error): boolean {
    const next = this.#events.next(error)
    if (!next) return false
    this.#events.onNote(`${next.label} listens from now on: ${error.message}`)
    if (next.unmet) this.#events.onNote(next.unmet)
    this.#engine = next
    this.#failedMs = Number.NEGATIVE_INFINITY
    this.#open()
    return true
  }

  #end(): void {
    this.#isOver = true
    this.#queue.end()
  }
}

const isLate = (error: unknown): boolean =>
  error instanceof VendorLate || (error instanceof Error && isLate(error.cause))

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
