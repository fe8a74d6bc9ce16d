// A synthesizer that outlives its engine: what an engine has not begun to say when it fails or falls silent is said by
// the next one of the list, from its beginning; what breaks off later is retried by the call, with the next engine.
import type {
  SynthesisEvent,
  SynthesisStream,
  Synthesizer,
  SynthesizerAbilities,
  SynthesizerOptions,
} from '../ports/synthesizer.ts'

export interface SpeakingEngine {
  /** The name of the engine in notes. */
  readonly label: string
  /** The vendor's name in agents; undefined: the engine is no vendor. */
  readonly vendor?: string | undefined
  readonly synthesizer: Synthesizer
  /** The engine's own voice and model, instead of those of the call. */
  readonly options: Partial<SynthesizerOptions>
  /** The settings of the agent that this engine lacks, for the record of the call when it takes over. */
  readonly unmet?: string | undefined
}

export interface SpeakingEvents {
  /** Takes one sentence for the record of the call. */
  onNote(note: string): void
  onFailed(engine: SpeakingEngine, error: Error): void
  onSpoke(engine: SpeakingEngine): void
}

// Vendors need 0.1 to 0.8 s for their first sound.
const usualPatienceMs = 1_500

/** `engines`: the first is used, the others when it fails. */
export function failingOver(
  engines: readonly [SpeakingEngine, ...SpeakingEngine[]],
  events: SpeakingEvents,
  patienceMs = usualPatienceMs,
): Synthesizer {
  const line = new EngineLine(engines, events)
  return {
    // The abilities that all engines have: a saying may begin with one engine and end with another.
    abilities: abilitiesOf(engines),
    open: (options, signal) => new FailingOverStream(line, options, signal, patienceMs),
    async warm(options, signal) {
      for (;;) {
        const engine = line.current
        try {
          await engine.synthesizer.warm?.({ ...options, ...engine.options }, signal)
          return
        } catch (error) {
          if (signal.aborted || !line.fail(engine, error)) throw error
        }
      }
    },
    close() {
      for (const { synthesizer } of engines) synthesizer.close?.()
    },
  }
}

function abilitiesOf(engines: readonly SpeakingEngine[]): SynthesizerAbilities {
  const all = engines.map(({ synthesizer }) => synthesizer.abilities)
  return {
    clauseEnds: all.every(({ clauseEnds }) => clauseEnds),
    wordTimes: all.some(({ wordTimes }) => wordTimes),
    languages: all[0]?.languages ?? 'any',
    isLoading: () => all.some(({ isLoading }) => isLoading?.() ?? false),
  }
}

/** The engines of a call, in order. */
class EngineLine {
  readonly #engines: readonly SpeakingEngine[]
  readonly #events: SpeakingEvents
  #index = 0

  constructor(engines: readonly SpeakingEngine[], events: SpeakingEvents) {
    this.#engines = engines
    this.#events = events
  }

  get current(): SpeakingEngine {
    return this.#engines[this.#index] as SpeakingEngine
  }

  get marksClauses(): boolean {
    return abilitiesOf(this.#engines).clauseEnds
  }

  spoke(engine: SpeakingEngine): void {
    this.#events.onSpoke(engine)
  }

  /** Goes on with the next engine; false if there is none. */
  fail(engine: SpeakingEngine, cause: unknown): boolean {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    // Another saying has noticed the failure before.
    if (engine !== this.current) return true
    this.#events.onFailed(engine, error)
    if (this.#index === this.#engines.length - 1) return false
    this.#index++
    this.#events.onNote(`${this.current.label} speaks from now on: ${error.message}`)
    if (this.current.unmet) this.#events.onNote(this.current.unmet)
    return true
  }
}

class FailingOverStream implements SynthesisStream {
  readonly #line: EngineLine
  readonly #options: SynthesizerOptions
  readonly #signal: AbortSignal
  readonly #patienceMs: number
  /** The text so far, for the next engine. */
  readonly #clauses: string[] = []
  #engine: SpeakingEngine
  #stream: SynthesisStream
  #isFinished = false
  #isCancelled = false
  #hasSpoken = false
  #silence = Promise.withResolvers<never>()
  #timer: NodeJS.Timeout | undefined

  constructor(line: EngineLine, options: SynthesizerOptions, signal: AbortSignal, patienceMs: number) {
    this.#line = line
    this.#options = options
    this.#signal = signal
    this.#patienceMs = patienceMs
    this.#engine = line.current
    this.#stream = this.#open()
  }

  write(clause: string): void {
    this.#clauses.push(clause)
    this.#stream.write(clause)
    if (!this.#timer && !this.#hasSpoken) this.#wait()
  }

  flush(): void {
    this.#stream.flush()
  }

  finish(): void {
    this.#isFinished = true
    this.#stream.finish()
  }

  cancel(): void {
    this.#isCancelled = true
    clearTimeout(this.#timer)
    this.#stream.cancel()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SynthesisEvent> {
    for (;;) {
      try {
        yield* this.#read()
        return
      } catch (error) {
        if (this.#signal.aborted) return
        this.#stream.cancel()
        if (!this.#line.fail(this.#engine, error) || this.#hasSpoken) throw error
        this.#reopen()
      } finally {
        clearTimeout(this.#timer)
      }
    }
  }

  async *#read(): AsyncGenerator<SynthesisEvent> {
    const events = this.#stream[Symbol.asyncIterator]()
    for (;;) {
      const { done, value } = await Promise.race([events.next(), this.#silence.promise])
      clearTimeout(this.#timer)
      if (done && this.#isMute()) throw new Error(`${this.#engine.label} made no sound.`)
      if (done) return
      if (value.type === 'frame' && !this.#hasSpoken) {
        this.#hasSpoken = true
        this.#line.spoke(this.#engine)
      }
      if (value.type !== 'clause-end' || this.#line.marksClauses) yield value
      // Before the end, the engine may have nothing more to say yet. Its silence does not count while its sound is not
      // taken.
      if (this.#isFinished || !this.#hasSpoken) this.#wait()
    }
  }

  /** Whether the engine had words to say and ended by itself without a sound. */
  #isMute(): boolean {
    if (this.#hasSpoken || this.#isCancelled || this.#signal.aborted) return false
    return this.#clauses.some((clause) => /[\p{L}\p{N}]/u.test(clause))
  }

  #open(): SynthesisStream {
    return this.#engine.synthesizer.open({ ...this.#options, ...this.#engine.options }, this.#signal)
  }

  #reopen(): void {
    this.#engine = this.#line.current
    this.#silence = Promise.withResolvers()
    this.#stream = this.#open()
    for (const clause of this.#clauses) {
      this.#stream.write(clause)
      this.#stream.flush()
    }
    if (this.#isFinished) this.#stream.finish()
    if (this.#clauses.length > 0) this.#wait()
  }

  #wait(): void {
    clearTimeout(this.#timer)
    const { reject, promise } = this.#silence
    // The promise may have no reader.
    promise.catch(() => {})
    const { label } = this.#engine
    this.#timer = setTimeout(
      () => reject(new Error(`${label} said nothing for ${this.#patienceMs / 1_000} s.`)),
      this.#patienceMs,
    )
    this.#timer.unref()
  }
}
