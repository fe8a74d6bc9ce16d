// The outer side of an engine's thread: started by the first question, shared by all calls, with a bounded queue.
import { Worker } from 'node:worker_threads'
import { EngineError } from './engine-error.ts'
import type { Birth, FromEngine, Moved, ToEngine } from './messages.ts'

export interface EngineThreadOptions<Load> {
  /** As it stands in a sentence: "the speech recognizer". */
  readonly name: string
  readonly file: URL
  /** Finds what the engine is loaded from, its weights for one; given up when the thread is closed before. */
  readonly prepare: (signal: AbortSignal) => Promise<Load>
  /** Questions that may wait while one is answered; a further one is refused at once. */
  readonly queueLength: number
}

export interface AskOptions {
  readonly moved?: Moved
  /** Takes a waiting question out of the queue; one under way is broken off where the engine can. */
  readonly signal?: AbortSignal | undefined
}

interface Waiting<Question, Answer> {
  readonly question: Question
  readonly moved: Moved
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

type State =
  | { is: 'cold' }
  | { is: 'starting' }
  | { is: 'ready' }
  | { is: 'broken'; error: EngineError; untilMs: number }
  | { is: 'closed' }

// An engine that cannot be loaded is not tried again for every frame of every call.
const restMs = 5_000
// A question under way may take a second or two; a thread that has not ended by then is stuck.
const closeTimeoutMs = 5_000
// Loading takes the longest; an exit that hangs for longer would be killed anyway.
const parkTimeoutMs = 3_000

export class EngineThread<Load, Question, Answer> {
  readonly #options: EngineThreadOptions<Load>
  readonly #queue: Waiting<Question, Answer>[] = []
  #underWay: Waiting<Question, Answer> | undefined
  #state: State = { is: 'cold' }
  #worker: Worker | undefined
  readonly #closing = new AbortController()

  constructor(options: EngineThreadOptions<Load>) {
    this.#options = options
  }

  get idle(): boolean {
    return !this.#underWay && this.#queue.length === 0
  }

  ask(question: Question, { moved = [], signal }: AskOptions = {}): Promise<Answer> {
    const refused = this.#refusal()
    if (refused) return Promise.reject(refused)
    if (signal?.aborted) return Promise.reject(signal.reason)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const waiting = { question, moved, resolve, reject }
    const leave = () => {
      const place = this.#queue.indexOf(waiting)
      if (place >= 0) this.#queue.splice(place, 1)
      else if (this.#underWay === waiting) this.#tell({ type: 'cancel' })
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
    this.#queue.push(waiting)
    this.#go()
    return promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#state = { is: 'closed' }
    this.#closing.abort()
    this.#abandon(new EngineError('closed', `${this.#options.name} is closed`))
    if (!worker) return
    const ended = new Promise<void>((done) => worker.once('exit', () => done()))
    // A thread that is stopped inside a native library takes the process with it, so it is asked first.
    this.#tell({ type: 'cancel' })
    this.#tell({ type: 'close' })
    const timer = setTimeout(() => worker.terminate(), closeTimeoutMs)
    await ended
    clearTimeout(timer)
  }

  #refusal(): EngineError | undefined {
    const { name, queueLength } = this.#options
    if (this.#state.is === 'closed') return new EngineError('closed', `${name} is closed`)
    if (this.#state.is === 'broken' && performance.now() < this.#state.untilMs) return this.#state.error
    if (this.#queue.length >= queueLength) return new EngineError('busy', `${name} has too much to do`)
    return undefined
  }

  #go(): void {
    if (this.#state.is === 'cold' || this.#state.is === 'broken') void this.#start()
    if (this.#state.is !== 'ready' || this.#underWay) return
    const next = this.#queue.shift()
    if (!next) return
    this.#underWay = next
    this.#tell({ type: 'question', question: next.question }, next.moved)
  }

  #tell(message: ToEngine<Question>, moved: Moved = []): void {
    this.#worker?.postMessage(message, [...moved])
  }

  async #start(): Promise<void> {
    this.#state = { is: 'starting' }
    try {
      const load = await this.#options.prepare(this.#closing.signal)
      if (this.#is('closed')) return
      const parked = new Int32Array(new SharedArrayBuffer(4))
      const workerData: Birth<Load> = { load, parked }
      // Flags that the process was started with, --eval for one, are not meant for this file.
      const worker = new Worker(this.#options.file, { workerData, execArgv: [] })
      this.#worker = worker
      this.#parkAtExit(worker, parked)
      worker.on('message', (message: FromEngine<Answer>) => this.#hear(message))
      worker.on('error', (error) => this.#break(`stopped: ${firstLine(error)}`, error))
      worker.on('exit', () => {
        // Its successor may already be there.
        if (this.#worker !== worker) return
        this.#worker = undefined
        this.#break('stopped')
      })
    } catch (error) {
      this.#break(`could not be loaded: ${firstLine(error)}`, error)
    }
  }

  /** A process that exits while a thread is inside a native library is aborted by it, so the thread is waited for. */
  #parkAtExit(worker: Worker, parked: Int32Array<SharedArrayBuffer>): void {
    const park = () => {
      for (const type of ['cancel', 'close'] as const) worker.postMessage({ type })
      Atomics.wait(parked, 0, 0, parkTimeoutMs)
    }
    process.on('exit', park)
    worker.once('exit', () => process.off('exit', park))
  }

  #hear(message: FromEngine<Answer>): void {
    if (message.type === 'ready') {
      if (this.#is('starting')) this.#state = { is: 'ready' }
    } else if (message.type === 'failed') {
      this.#break(`could not be loaded: ${message.reason}`)
    } else {
      const asked = this.#underWay
      this.#underWay = undefined
      if (message.type === 'answer') asked?.resolve(message.answer)
      else asked?.reject(new EngineError('broken', `${this.#options.name} failed: ${message.reason}`))
    }
    this.#go()
  }

  #break(reason: string, cause?: unknown): void {
    if (this.#is('closed') || this.#is('broken')) return
    const error = new EngineError('broken', `${this.#options.name} ${reason}`, { cause })
    this.#state = { is: 'broken', error, untilMs: performance.now() + restMs }
    this.#abandon(error)
  }

  #abandon(error: EngineError): void {
    this.#underWay?.reject(error)
    this.#underWay = undefined
    for (const waiting of this.#queue.splice(0)) waiting.reject(error)
  }

  #is(state: State['is']): boolean {
    return this.#state.is === state
  }
}

const firstLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]
