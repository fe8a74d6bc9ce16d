// The owner's side of an engine thread: loaded on first use, then one question at a time. When it rests, its worker
// ends and its memory is released; the next start creates a new worker.
import { Worker } from 'node:worker_threads'
import {
  type EngineWorkerData,
  type FromEngine,
  firstLine,
  type ToEngine,
  type TransferredBuffers,
} from './engine-messages.ts'

export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly kind: 'busy' | 'closed' | 'broken'

  constructor(kind: EngineError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

export interface EngineThreadOptions<Load> {
  /** The name as used in sentences: "the speech recognizer". */
  readonly name: string
  readonly file: URL
  /** Locates what the engine is loaded from, such as its weights; aborted if the thread is closed first. */
  readonly prepare: (signal: AbortSignal) => Promise<Load>
  /** How far it gives way to other threads, as `nice` counts. Default: 0, for live calls. */
  readonly niceness?: number
}

type State<Answer> =
  | { readonly is: 'cold' }
  | { readonly is: 'starting' }
  | { readonly is: 'free'; readonly sinceMs: number }
  | { readonly is: 'busy'; readonly asked: PromiseWithResolvers<Answer> }
  | { readonly is: 'broken'; readonly error: EngineError; readonly untilMs: number }
  | { readonly is: 'closed' }

// An engine that cannot be loaded is not retried for every frame of every call.
const restMs = 5_000
// A long sentence of the slowest voice takes several seconds; a thread that has not ended by then is stuck.
const closeTimeoutMs = 20_000

export class EngineThread<Load, Question, Answer> {
  readonly #options: EngineThreadOptions<Load>
  readonly #onChange: () => void
  readonly #closing = new AbortController()
  #state: State<Answer> = { is: 'cold' }
  #worker: Worker | undefined
  /** Workers that were asked to end and have not ended yet. */
  readonly #leaving = new Map<Worker, Promise<void>>()

  constructor(options: EngineThreadOptions<Load>, onChange: () => void) {
    this.#options = options
    this.#onChange = onChange
  }

  /** The state; after its rest, a broken engine counts as cold and may be started again. */
  get is(): State<Answer>['is'] {
    const state = this.#state
    return state.is === 'broken' && performance.now() >= state.untilMs ? 'cold' : state.is
  }

  get trouble(): EngineError | undefined {
    return this.#state.is === 'broken' ? this.#state.error : undefined
  }

  /** How long the thread has been free; 0 while it is loading or busy. */
  get unusedMs(): number {
    return this.#state.is === 'free' ? performance.now() - this.#state.sinceMs : 0
  }

  /** Asks a question. Only while the thread is free. */
  ask(question: Question, moved: TransferredBuffers): Promise<Answer> {
    const asked = Promise.withResolvers<Answer>()
    this.#state = { is: 'busy', asked }
    this.#post({ type: 'question', question }, moved)
    return asked.promise
  }

  /** Withdraws the question; the thread becomes free once the engine has noticed. */
  cancel(): void {
    this.#post({ type: 'cancel' })
  }

  async start(): Promise<void> {
    this.#state = { is: 'starting' }
    try {
      const load = await this.#options.prepare(this.#closing.signal)
      if (this.is === 'closed') return
      const parked = new Int32Array(new SharedArrayBuffer(4))
      const workerData: EngineWorkerData<Load> = {
        load,
        parked,
        niceness: this.#options.niceness ?? 0,
      }
      // Flags of this process, such as --eval, are not meant for the worker.
      const worker = new Worker(this.#options.file, { workerData, execArgv: [] })
      this.#worker = worker
      parkAtExit(worker, parked)
      // Events of a worker that was asked to end are ignored: it has been replaced or is no longer needed.
      const ifCurrent = (act: () => void) => this.#worker === worker && act()
      worker.on('message', (message: FromEngine<Answer>) => ifCurrent(() => this.#receive(message)))
      worker.on('error', (error) => ifCurrent(() => this.#break(`stopped: ${firstLine(error)}`, error)))
      worker.on('exit', () => {
        if (this.#worker !== worker) return
        this.#worker = undefined
        this.#break('stopped')
      })
    } catch (error) {
      this.#break(`could not be loaded: ${firstLine(error)}`, error)
    }
  }

  /** Counts as a use of the thread. Only while it is free. */
  keep(): void {
    this.#state = { is: 'free', sinceMs: performance.now() }
  }

  /** Ends the worker, which takes its time; a start meanwhile does not wait for it. Only while the thread is free. */
  rest(): void {
    this.#state = { is: 'cold' }
    this.#endWorker()
  }

  async close(): Promise<void> {
    this.#leave({ is: 'closed' }, new EngineError('closed', `${this.#options.name} is closed`))
    this.#closing.abort()
    this.#endWorker()
    await Promise.all(this.#leaving.values())
  }

  #endWorker(): void {
    const worker = this.#worker
    if (!worker) return
    // Terminating a thread inside a native library aborts the process, so it is asked to end first.
    this.#post({ type: 'cancel' })
    this.#post({ type: 'close' })
    this.#worker = undefined
    const timer = setTimeout(() => worker.terminate(), closeTimeoutMs).unref()
    const ended = new Promise<void>((done) => worker.once('exit', () => done())).finally(() => {
      clearTimeout(timer)
      this.#leaving.delete(worker)
    })
    this.#leaving.set(worker, ended)
  }

  #post(message: ToEngine<Question>, moved: TransferredBuffers = []): void {
    this.#worker?.postMessage(message, [...moved])
  }

  #receive(message: FromEngine<Answer>): void {
    const state = this.#state
    if (message.type === 'failed') {
      this.#break(`could not be loaded: ${message.reason}`)
      return
    }
    if (state.is !== 'starting' && state.is !== 'busy') return
    this.#state = { is: 'free', sinceMs: performance.now() }
    if (state.is === 'busy' && message.type === 'answer') state.asked.resolve(message.answer)
    if (state.is === 'busy' && message.type === 'refused') {
      state.asked.reject(new EngineError('broken', `${this.#options.name} failed: ${message.reason}`))
    }
    this.#onChange()
  }

  #break(reason: string, cause?: unknown): void {
    if (this.#state.is === 'closed' || this.#state.is === 'broken') return
    const error = new EngineError('broken', `${this.#options.name} ${reason}`, { cause })
    this.#leave({ is: 'broken', error, untilMs: performance.now() + restMs }, error)
    this.#onChange()
  }

  #leave(next: State<Answer>, error: EngineError): void {
    if (this.#state.is === 'busy') this.#state.asked.reject(error)
    this.#state = next
  }
}

// Loading takes longest; a process that takes longer to exit would be killed anyway.
const parkTimeoutMs = 3_000

/** For each thread, the word that is set to 1 once it will not enter a native library again. */
const parkedWords = new Map<Worker, Int32Array<SharedArrayBuffer>>()

/** A process that exits while a thread is inside a native library is aborted, so the exit waits for such threads. */
function parkAtExit(worker: Worker, parked: Int32Array<SharedArrayBuffer>): void {
  // There is one listener for all threads: one per thread could exceed Node's listener limit.
  if (parkedWords.size === 0) process.on('exit', parkAll)
  parkedWords.set(worker, parked)
  worker.once('exit', () => {
    parkedWords.delete(worker)
    if (parkedWords.size === 0) process.off('exit', parkAll)
  })
}

function parkAll(): void {
  for (const worker of parkedWords.keys()) {
    for (const type of ['cancel', 'close'] as const) worker.postMessage({ type })
  }
  const untilMs = performance.now() + parkTimeoutMs
  for (const parked of parkedWords.values()) {
    Atomics.wait(parked, 0, 0, Math.max(0, untilMs - performance.now()))
  }
}
