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
  TurnDetection,
} from '../ports/transcriber.ts'
import type { VoiceEvent } from '../ports/voice-detector.ts'
import { KeptSound } from '../vendors/over/hears/kept-sound.ts'
import { EventQueue } from '../vendors/over/wire/event-queue.ts'
import { VendorLate } from '../vendors/over/wire/vendor-failure.ts'

export interface ListeningEngine {
  /** The name of the engine in notes. */
  readonly label: string
  readonly transcriber: Transcriber
  /** Whether the engine sends words while they are spoken: only then is its silence a fault. */
  readonly streaming: boolean
  /** The settings of the agent that this engine lacks: noted in the call when it takes over. */
  readonly unmet?: string | undefined
}

export interface ReopeningEvents {
  /** Takes one sentence for the record of the call. */
  onNote(note: string): void
  /** Reports that the engine works: a stream of it has said something. */
  onHeard(engine: ListeningEngine): void
  /** Chooses the engine to go on with after one has failed for good; undefined if there is none. */
  next(error: Error): ListeningEngine | undefined
}

// Two failures within this time mean that the engine is down. Further apart they are two accidents.
const soonMs = 5_000
// The wait before an engine is tried again that has never said anything; one that has spoken is tried at once.
const backoffMs = 200
// The wait for a final that was asked for, or that is due by the engine's own endpointing. Vendors need 0.2 to 0.7 s.
const finalWithinMs = 1_300
// The most speech for which an engine may send nothing at all, in one piece or in several. Vendors send the first words
// within 0.3 to 1.5 s, and most say of a noise that it has none.
const wordsWithinMs = 3_000
// A stream that has sent nothing since it was opened is given up after so much speech, once the final of it is due.
const firstSpeechMs = 1_000
// The most speech without words that is kept: as long as it takes to replace engines that cannot be reached.
const unheardMs = 5_000
// Speech that began within this time is not part of a final that an engine sent by itself, since such a final waits
// for a silence.
const youngVoiceMs = 1_000

export function reopening(first: ListeningEngine, events: ReopeningEvents): Transcriber {
  const { transcriber } = first
  const opened = new Set([first])
  return {
    // Engines that do not accept key terms are not given any.
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

/** The options that an engine is opened with and warmed up for; an engine that takes no key terms gets none. */
const wishesFor = (
  { transcriber }: ListeningEngine,
  { keyterms, ...others }: TranscriberOptions,
): TranscriberOptions => (transcriber.abilities.keyterms ? { ...others, keyterms } : others)

interface Current {
  readonly stream: TranscriptStream
  readonly stop: AbortController
  /** The position in the call at which the stream's own positions begin. */
  readonly startMs: number
  hasSpoken: boolean
  /** Whether it has sent anything. */
  isAlive: boolean
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
  /** Whether there is a partial without its final. */
  #isOutstanding = false
  /** The position at which a final was last wanted, if none has come since. */
  #askedMs: number | undefined
  /** The position at which the engine last sent words, and how much voice it has got since its last sign of life. */
  #answeredMs = 0
  #unansweredMs = 0
  /** The position until which the sound of the last voice is kept, whether words came for it or not. */
  #keptUntilMs = 0
  /** How the engine detects turns, as last told. */
  #detection: TurnDetection | undefined
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
    // An engine that is asked for whole utterances answers each, however late.
    const isDue = this.#isOutstanding || (!this.#engine.streaming && this.#askedMs !== undefined)
    this.#kept.write(frame, isDue || this.#kept.toMs < this.#keptUntilMs)
    if (this.#current) {
      this.#use(this.#current, ({ stream }) => stream.write(frame))
      this.#expectAnswer()
    } else if (this.#kept.toMs >= this.#reopenAtMs) this.#open()
  }

  hear(event: VoiceEvent): void {
    this.#kept.hear(event)
    if (event.type === 'speech-end') this.#keptUntilMs = this.#kept.toMs + unheardMs
    if (event.type === 'failed' || !this.#current) return
    // The engine waits for another silence, and the call asks again.
    if (event.type === 'speech-start' && !this.#current.stream.finalize) this.#askedMs = undefined
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
    const wishes = wishesFor(this.#engine, this.#options)
    try {
      this.#tellDetection(transcriber.detectsTurns?.(wishes))
      const stream = transcriber.open(wishes, AbortSignal.any([this.#signal, stop.signal]))
      const current = { stream, stop, startMs: this.#kept.replay(stream), hasSpoken: false, isAlive: false }
      this.#current = current
      this.#answeredMs = this.#kept.toMs
      this.#unansweredMs = 0
      if (this.#askedMs !== undefined) stream.finalize?.()
      void this.#read(current).catch((error) => this.#fail(current, error))
    } catch (error) {
      this.#fail(undefined, error)
    }
  }

  /** An engine that stands in may detect turns in another way, or not at all. */
  #tellDetection(detection: TurnDetection | undefined): void {
    const last = this.#detection
    if (detection?.isEager === last?.isEager && detection?.longestSilenceMs === last?.longestSilenceMs) return
    this.#detection = detection
    this.#queue.push({ type: 'turn-detection', detection: detection ?? null })
  }

  async #read(current: Current): Promise<void> {
    for await (const event of current.stream) {
      if (this.#current !== current) return
      this.#unansweredMs = 0
      current.isAlive = true
      if (event.type === 'alive') continue
      if (!current.hasSpoken) this.#events.onHeard(this.#engine)
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
    this.#kept.cutTo(event.endMs === undefined ? this.#wordsEndMs() : startMs + event.endMs)
    this.#askedMs = undefined
  }

  /** The position where the words of a final end, if the engine does not tell. */
  #wordsEndMs(): number {
    const { toMs, voiceFromMs = toMs } = this.#kept
    const askedMs = this.#current?.stream.finalize && this.#askedMs
    return askedMs ?? (toMs - voiceFromMs < youngVoiceMs ? voiceFromMs : toMs)
  }

  /** Fails a stream that takes sound and says nothing. */
  #expectAnswer(): void {
    if (!this.#engine.streaming || !this.#current) return
    const { toMs, voiceFromMs } = this.#kept
    if (voiceFromMs !== undefined) this.#unansweredMs += frameMs
    const isDumb = !this.#current.isAlive && this.#unansweredMs >= firstSpeechMs
    const askedMs = this.#isOutstanding || isDumb ? this.#askedMs : undefined
    const silence = `${this.#engine.label} does not answer.`
    // An engine that cannot be asked was told how long a silence has to be.
    const ownMs = this.#current.stream.finalize ? 0 : this.#options.endpointingMs
    if (askedMs !== undefined && toMs - Math.max(this.#answeredMs, askedMs) > ownMs + finalWithinMs)
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
    // The caller has waited once; a second time would be too long, unless no other engine can be asked.
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

  /** Goes on with the next engine; false if there is none. */
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

/** Shifts times to those of the call: an engine counts from where it was opened. */
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
