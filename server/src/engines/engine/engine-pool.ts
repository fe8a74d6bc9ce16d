// The threads of one engine behind one bounded queue: oldest question first, preemptible questions last.
// Idle threads are ended after a while, and restarted by the next question.
import { tracingChannel } from 'node:diagnostics_channel'
import { constants } from 'node:os'
import type { TransferredBuffers } from './engine-messages.ts'
import { EngineError, EngineThread, type EngineThreadOptions } from './engine-thread.ts'

export interface EnginePoolOptions<Load, Question> extends EngineThreadOptions<Load>, EngineIdle {
  /** The most threads; one is started when a question finds no other free. */
  readonly threads?: number | undefined
  /** How many questions may wait; a further one is refused immediately. */
  readonly queueLength: number
  /** Buffers in the question to transfer to the thread instead of copying. */
  readonly moved?: (question: Question) => TransferredBuffers
}

export const lowestNiceness: number = constants.priority.PRIORITY_LOW

/** Engines for recordings wait for everything else on the machine unless they are told otherwise. */
export interface RecordingEngine extends EngineIdle {
  /** The niceness as `nice` counts. */
  readonly niceness?: number | undefined
}

/** The queue is bounded by the callers: a recording has a few pieces in progress and waits for them. */
export const forRecordings = ({ idleMs, niceness = lowestNiceness }: RecordingEngine) => ({
  idleMs,
  niceness,
  queueLength: Number.POSITIVE_INFINITY,
})

/** How long an engine keeps its threads and weights in memory while unused. */
export interface EngineIdle {
  /** The time after which an unused engine is released; undefined: when it is closed. */
  readonly idleMs?: number | undefined
}

export interface AskOptions {
  /** Removes a waiting question from the queue; interrupts a running one if the engine supports it. */
  readonly signal?: AbortSignal | undefined
  /**
   * Whether the question has low priority: answered after all others, and interrupted for one that finds no thread
   * free.
   */
  readonly preemptible?: boolean
}

/** Traces every question from being asked until it is answered or refused. Costs nothing without subscribers. */
export const engineQuestions = tracingChannel<'parley:engine-question', { readonly engine: string }>(
  'parley:engine-question',
)

interface QueuedQuestion<Question, Answer> {
  readonly make: () => Question
  readonly preemptible: boolean
  readonly promised: PromiseWithResolvers<Answer>
}

interface UnderWay<Question, Answer> {
  readonly waiting: QueuedQuestion<Question, Answer>
  /** Whether the question was cancelled: the thread will soon be free. */
  unwanted: boolean
}

export class EnginePool<Load, Question, Answer> {
  readonly #options: EnginePoolOptions<Load, Question>
  readonly #threads: readonly EngineThread<Load, Question, Answer>[]
  readonly #underWay = new Map<EngineThread<Load, Question, Answer>, UnderWay<Question, Answer>>()
  #queue: QueuedQuestion<Question, Answer>[] = []
  readonly #loads: PromiseWithResolvers<void>[] = []
  #closed = false
  #idleTimer: NodeJS.Timeout | undefined

  constructor(options: EnginePoolOptions<Load, Question>) {
    this.#options = options
    this.#threads = Array.from(
      { length: options.threads ?? 1 },
      () => new EngineThread<Load, Question, Answer>(options, () => this.#go()),
    )
  }

  /** Asks a question. `make` is called when its turn has come, so that its data is current. */
  ask(make: () => Question, options: AskOptions = {}): Promise<Answer> {
    return engineQuestions.tracePromise(() => this.#ask(make, options), { engine: this.#options.name })
  }

  #ask(make: () => Question, { signal, preemptible = false }: AskOptions): Promise<Answer> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const refused = this.#refusal(preemptible)
    if (refused) return Promise.reject(refused)
    const waiting = { make, preemptible, promised: Promise.withResolvers<Answer>() }
    const leave = () => this.#drop(waiting, signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    this.#queue.push(waiting)
    this.#watchIdle()
    this.#go()
    return waiting.promised.promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  /** Loads a thread, so that the next question need not wait for it. Rejects if it cannot be loaded. */
  load(): Promise<void> {
    if (this.#closed) return Promise.reject(this.#closedError())
    this.#watchIdle()
    this.#threads.find(({ is }) => is === 'free')?.keep()
    if (this.#isLoaded) return Promise.resolve()
    const loaded = Promise.withResolvers<void>()
    this.#loads.push(loaded)
    if (!this.isLoading) void this.#threads.find(({ is }) => is === 'cold')?.start()
    this.#go()
    return engineQuestions.tracePromise(() => loaded.promise, { engine: this.#options.name })
  }

  /** Whether the first answer takes longer, because no thread has been loaded yet. */
  get isLoading(): boolean {
    return !this.#isLoaded && this.#threads.some(({ is }) => is === 'starting')
  }

  get #isLoaded(): boolean {
    return this.#threads.some(({ is }) => is === 'free' || is === 'busy')
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#idleTimer)
    this.#abandon(this.#closedError())
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #refusal(preemptible: boolean): EngineError | undefined {
    if (this.#closed) return this.#closedError()
    const trouble = this.#trouble()
    if (trouble || this.#queue.length < this.#options.queueLength) return trouble
    const displaced = preemptible ? undefined : this.#queue.findLast((waiting) => waiting.preemptible)
    if (!displaced) return this.#busy()
    this.#drop(displaced, this.#busy())
    return undefined
  }

  /** Why no thread can answer at the moment. */
  #trouble(): EngineError | undefined {
    return this.#threads.every((thread) => thread.is === 'broken') ? this.#threads[0]?.trouble : undefined
  }

  #go(): void {
    const trouble = this.#trouble()
    if (trouble) this.#abandon(trouble)
    if (this.#isLoaded) for (const { resolve } of this.#loads.splice(0)) resolve()
    while (this.#queue.length > 0) {
      const thread = this.#threads.find(({ is }) => is === 'free')
      if (!thread) {
        this.#makeRoom()
        return
      }
      void this.#give(thread, this.#next())
    }
  }

  #next(): QueuedQuestion<Question, Answer> | undefined {
    const place = this.#queue.findIndex(({ preemptible }) => !preemptible)
    return this.#queue.splice(Math.max(place, 0), 1)[0]
  }

  /** Threads are loaded one after the other: the first fetches the weights for all. */
  #makeRoom(): void {
    if (!this.#threads.some(({ is }) => is === 'starting')) {
      void this.#threads.find(({ is }) => is === 'cold')?.start()
    }
    const urgent = this.#queue.filter(({ preemptible }) => !preemptible).length
    const soonFree = [...this.#underWay.values()].filter(({ unwanted }) => unwanted).length
    const displaced = [...this.#underWay.values()].find(
      ({ waiting, unwanted }) => waiting.preemptible && !unwanted,
    )
    if (urgent > soonFree && displaced) this.#drop(displaced.waiting, this.#busy())
  }

  async #give(thread: EngineThread<Load, Question, Answer>, waiting?: QueuedQuestion<Question, Answer>) {
    if (!waiting) return
    this.#underWay.set(thread, { waiting, unwanted: false })
    try {
      const question = waiting.make()
      waiting.promised.resolve(await thread.ask(question, this.#options.moved?.(question) ?? []))
    } catch (error) {
      waiting.promised.reject(error)
    }
    if (this.#underWay.get(thread)?.waiting === waiting) this.#underWay.delete(thread)
  }

  /**
   * Ends idle threads by one timer that re-arms itself if it was too early, instead of being reset by every question:
   * the voice detector is asked fifty times a second.
   */
  #watchIdle(): void {
    const { idleMs } = this.#options
    if (idleMs === undefined || this.#idleTimer || this.#closed) return
    const look = () => {
      this.#idleTimer = undefined
      for (const thread of this.#threads) if (thread.unusedMs >= idleMs) thread.rest()
      const awake = this.#threads.filter(({ is }) => is !== 'cold' && is !== 'broken')
      if (awake.length > 0) watch(Math.min(...awake.map(({ unusedMs }) => idleMs - unusedMs)))
    }
    const watch = (afterMs: number) => {
      // A timer may fire a fraction of a millisecond early. It does not keep the process alive.
      this.#idleTimer = setTimeout(look, afterMs + 1).unref()
    }
    watch(idleMs)
  }

  #drop(waiting: QueuedQuestion<Question, Answer>, reason: unknown): void {
    this.#queue = this.#queue.filter((other) => other !== waiting)
    for (const [thread, under] of this.#underWay) {
      if (under.waiting !== waiting || under.unwanted) continue
      under.unwanted = true
      thread.cancel()
    }
    waiting.promised.reject(reason)
  }

  #abandon(error: EngineError): void {
    for (const { promised } of this.#queue.splice(0)) promised.reject(error)
    for (const { reject } of this.#loads.splice(0)) reject(error)
  }

  #busy(): EngineError {
    return new EngineError('busy', `${this.#options.name} has too much to do`)
  }

  #closedError(): EngineError {
    return new EngineError('closed', `${this.#options.name} is closed`)
  }
}
