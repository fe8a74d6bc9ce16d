// A synthesizer that outlives its engine: what an engine has not begun to say when it fails or falls silent is said by
// another one, from its beginning; for the rest of what breaks off later, the call asks again.
import type {
  SynthesisEvent,
  SynthesisStream,
  Synthesizer,
  SynthesizerAbilities,
  SynthesizerOptions,
} from '../ports/synthesizer.ts'
import { type Opening, type SpeakingEngine, type SpeakingEvents, SpeakingOrder } from './speaking-order.ts'

/** `engines`: the first is used, the others when it fails. */
export function failingOver(
  engines: readonly [SpeakingEngine, ...SpeakingEngine[]],
  events: SpeakingEvents,
): Synthesizer {
  const order = new SpeakingOrder(engines, events)
  const abilities = abilitiesOf(engines)
  let unnumbered = 0
  return {
    abilities,
    open: (options, signal, saying = --unnumbered) =>
      new FailingOverStream(order, { saying, options, signal, marksClauses: abilities.clauseEnds }),
    async warm(options, signal) {
      let opening: Opening | undefined = order.open(--unnumbered)
      while (opening) {
        const { engine }: Opening = opening
        try {
          await engine.synthesizer.warm?.({ ...options, ...engine.options }, signal)
          return
        } catch (error) {
          opening = signal.aborted ? undefined : order.replace(opening, asError(error))
          if (!opening) throw error
        }
      }
    },
    close() {
      for (const { synthesizer } of engines) synthesizer.close?.()
    },
  }
}

/** The abilities that all engines have: a saying may begin with one engine and end with another. */
function abilitiesOf(engines: readonly SpeakingEngine[]): SynthesizerAbilities {
  const all = engines.map(({ synthesizer }) => synthesizer.abilities)
  return {
    clauseEnds: all.every(({ clauseEnds }) => clauseEnds),
    wordTimes: all.some(({ wordTimes }) => wordTimes),
    languages: all[0]?.languages ?? 'any',
    isLoading: () => all.some(({ isLoading }) => isLoading?.() ?? false),
  }
}

const asError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)))

interface AskedSaying {
  readonly saying: number
  readonly options: SynthesizerOptions
  readonly signal: AbortSignal
  readonly marksClauses: boolean
}

class FailingOverStream implements SynthesisStream {
  readonly #order: SpeakingOrder
  readonly #asked: AskedSaying
  /** The text so far, for the next engine. */
  readonly #clauses: string[] = []
  #opening: Opening
  #stream: SynthesisStream
  #isFinished = false
  #isCancelled = false
  #hasSpoken = false
  #silence = Promise.withResolvers<never>()
  #timer: NodeJS.Timeout | undefined

  constructor(order: SpeakingOrder, asked: AskedSaying) {
    this.#order = order
    this.#asked = asked
    this.#opening = order.open(asked.saying)
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
        if (this.#asked.signal.aborted) return
        this.#stream.cancel()
        this.#replace(error)
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
      if (done && this.#isMute()) throw new Error(`${this.#opening.engine.label} made no sound.`)
      if (done) return
      if (value.type === 'frame' && !this.#hasSpoken) {
        this.#hasSpoken = true
        this.#order.spoke(this.#opening)
      }
      if (value.type !== 'clause-end' || this.#asked.marksClauses) yield value
      // Before the end, the engine may have nothing more to say yet. Its silence does not count while its sound is not
      // taken.
      if (this.#isFinished || !this.#hasSpoken) this.#wait()
    }
  }

  /** Whether the engine had words to say and ended by itself without a sound. */
  #isMute(): boolean {
    if (this.#hasSpoken || this.#isCancelled || this.#asked.signal.aborted) return false
    return this.#clauses.some((clause) => /[\p{L}\p{N}]/u.test(clause))
  }

  #open(): SynthesisStream {
    const { synthesizer, options } = this.#opening.engine
    return synthesizer.open({ ...this.#asked.options, ...options }, this.#asked.signal)
  }

  /** Goes on with another engine, or throws. */
  #replace(cause: unknown): void {
    if (this.#hasSpoken) {
      this.#order.breakOff(this.#opening, asError(cause))
      throw cause
    }
    const next = this.#order.replace(this.#opening, asError(cause))
    if (!next) throw cause
    this.#opening = next
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
    const { engine, patienceMs } = this.#opening
    if (patienceMs === undefined) return
    const { reject, promise } = this.#silence
    // The promise may have no reader.
    promise.catch(() => {})
    const late = () => reject(new Error(`${engine.label} said nothing for ${patienceMs / 1_000} s.`))
    this.#timer = setTimeout(late, patienceMs)
    this.#timer.unref()
  }
}
