// Which synthesizer of a call says what: the first that is fit, and after a failure the next one. One that missed its
// moment is asked again at the next saying, and left out of more sayings the more often it misses in a row. A saying is
// finished in the voice in which it was begun.
import type { Synthesizer, SynthesizerOptions } from '../ports/synthesizer.ts'
import { VendorRefused } from '../vendors/over/wire/vendor-failure.ts'

export interface SpeakingEngine {
  /** The name of the engine in notes. */
  readonly label: string
  /** The vendor's name in agents; undefined: the engine is no vendor. */
  readonly vendor?: string | undefined
  readonly synthesizer: Synthesizer
  /** The engine's own voice and model, instead of those of the call. */
  readonly options: Partial<SynthesizerOptions>
  /** How long its sound is waited for while another engine could speak; undefined: as long as the call waits. */
  readonly patienceMs: number | undefined
  /** The settings of the agent that this engine lacks, for the record of the call when it takes over. */
  readonly unmet?: string | undefined
}

export interface SpeakingEvents {
  /** Takes one sentence for the record of the call. */
  onNote(note: string): void
  onFailed(engine: SpeakingEngine, error: Error): void
  onSpoke(engine: SpeakingEngine): void
}

/** An engine's turn to say something. */
export interface Opening {
  readonly saying: number
  readonly engine: SpeakingEngine
  /** Its place among all openings of the call. */
  readonly place: number
  /** Undefined: no other engine could take its place, so it has all the time that the call has. */
  readonly patienceMs: number | undefined
}

interface EngineRecord {
  missesInARow: number
  /** The openings up to here had the same cause to fail. */
  failedUntil: number
  /** The last saying that the engine is left out of, as the call counts them. */
  restsUntil: number
  hasRefused: boolean
}

interface TroubledSaying {
  readonly failed: Set<SpeakingEngine>
  /** The engine that broke off in the middle: it is asked for the rest, once. */
  begunBy: SpeakingEngine | undefined
}

// A caller waits for an engine that misses: no more often than for every sixteenth saying of a vendor that is down.
const longestRest = 15

export class SpeakingOrder {
  readonly #engines: readonly [SpeakingEngine, ...SpeakingEngine[]]
  readonly #events: SpeakingEvents
  readonly #records: ReadonlyMap<SpeakingEngine, EngineRecord>
  readonly #troubled = new Map<number, TroubledSaying>()
  readonly #noted = new Set<SpeakingEngine>()
  #openings = 0
  #sayings = 0
  #saying: number | undefined
  /** The engine whose voice the caller knows, or is about to hear. */
  #voice: SpeakingEngine

  constructor(engines: readonly [SpeakingEngine, ...SpeakingEngine[]], events: SpeakingEvents) {
    this.#engines = engines
    this.#events = events
    this.#voice = engines[0]
    this.#records = new Map(
      engines.map((engine) => [
        engine,
        { missesInARow: 0, failedUntil: 0, restsUntil: 0, hasRefused: false },
      ]),
    )
  }

  open(saying: number): Opening {
    if (saying !== this.#saying) this.#sayings++
    this.#saying = saying
    const trouble = this.#troubled.get(saying)
    const engine = trouble?.begunBy ?? this.#able(saying)[0] ?? (this.#engines.at(-1) as SpeakingEngine)
    if (trouble) trouble.begunBy = undefined
    return this.#opening(saying, engine)
  }

  spoke({ engine }: Opening): void {
    this.#recordOf(engine).missesInARow = 0
    this.#events.onSpoke(engine)
    if (this.#engines.indexOf(engine) < this.#engines.indexOf(this.#voice))
      this.#events.onNote(`${engine.label} speaks again.`)
    this.#voice = engine
  }

  /** Who goes on after an engine failed before its first sound; undefined: nobody is left. */
  replace(opening: Opening, error: Error): Opening | undefined {
    const isNews = this.#fail(opening, error)
    const [next] = this.#able(opening.saying)
    if (!next) return undefined
    const howLong = this.#recordOf(opening.engine).hasRefused ? 'from now on' : 'for now'
    if (isNews) this.#events.onNote(`${next.label} speaks ${howLong}: ${error.message}`)
    if (next.unmet && !this.#noted.has(next)) this.#events.onNote(next.unmet)
    this.#noted.add(next)
    this.#voice = next
    return this.#opening(opening.saying, next)
  }

  /** An engine failed in the middle of a saying, whose rest will be asked for. */
  breakOff(opening: Opening, error: Error): void {
    const trouble = this.#troubleOf(opening.saying)
    const isFirst = !trouble.failed.has(opening.engine)
    this.#fail(opening, error)
    if (isFirst) trouble.begunBy = opening.engine
  }

  /** False: another saying, synthesized at the same time, has noticed the failure before. */
  #fail({ engine, saying, place }: Opening, error: Error): boolean {
    this.#troubleOf(saying).failed.add(engine)
    const record = this.#recordOf(engine)
    if (error instanceof VendorRefused) record.hasRefused = true
    if (place <= record.failedUntil) return false
    record.failedUntil = this.#openings
    record.missesInARow++
    record.restsUntil = this.#sayings + Math.min(2 ** (record.missesInARow - 1) - 1, longestRest)
    this.#events.onFailed(engine, error)
    return true
  }

  #opening(saying: number, engine: SpeakingEngine): Opening {
    const hasStandIn = this.#able(saying).some((other) => other !== engine)
    const patienceMs = hasStandIn ? engine.patienceMs : undefined
    return { saying, engine, place: ++this.#openings, patienceMs }
  }

  /** The engines that have not failed in this saying: first those that are fit, in the order of the agent. */
  #able(saying: number): SpeakingEngine[] {
    const failed = this.#troubled.get(saying)?.failed
    const able = this.#engines.filter((engine) => !failed?.has(engine))
    return able.sort((one, other) => this.#unfitness(one) - this.#unfitness(other))
  }

  #unfitness(engine: SpeakingEngine): number {
    const { hasRefused, restsUntil, missesInARow } = this.#recordOf(engine)
    if (hasRefused) return 2
    return missesInARow > 0 && this.#sayings <= restsUntil ? 1 : 0
  }

  #recordOf(engine: SpeakingEngine): EngineRecord {
    return this.#records.get(engine) as EngineRecord
  }

  #troubleOf(saying: number): TroubledSaying {
    const known = this.#troubled.get(saying)
    if (known) return known
    const trouble = { failed: new Set<SpeakingEngine>(), begunBy: undefined }
    this.#troubled.set(saying, trouble)
    return trouble
  }
}
