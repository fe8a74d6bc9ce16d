// The outer side of an engine's thread: loaded when it is first wanted, then one question at a time.
import { Worker } from 'node:worker_threads'
import { EngineError } from './engine-error.ts'
import type { FromEngine, MediaThreadOptions, Moved, ToEngine } from './messages.ts'
import { parkAtExit } from './park-at-exit.ts'

export interface EngineThreadOptions<Load> {
  /** As it stands in a sentence: "the speech recognizer". */
  readonly name: string
  readonly file: URL
  /** Finds what the engine is loaded from, its weights for one; given up when the thread is closed before. */
  readonly prepare: (signal: AbortSignal) => Promise<Load>
  /** Nobody waits on the line for it: it gives way to the threads of calls wherever they want the core. */
  readonly gentle?: boolean
}

type State<Answer> =
  | { readonly is: 'cold' }
  | { readonly is: 'starting' }
  | { readonly is: 'free' }
  | { readonly is: 'busy'; readonly asked: PromiseWithResolvers<Answer> }
  | { readonly is: 'broken'; readonly error: EngineError; readonly untilMs: number }
  | { readonly is: 'closed' }

// An engine that cannot be loaded is not tried again for every frame of every call.
const restMs = 5_000
// A long sentence of the slowest voice takes several seconds; a thread that has not ended by then is stuck.
const closeTimeoutMs = 20_000

export class EngineThread<Load, Question, Answer> {
  readonly #options: EngineThreadOptions<Load>
  readonly #onChange: () => void
  readonly #closing = new AbortController()
  #state: State<Answer> = { is: 'cold' }
  #worker: Worker | undefined

  constructor(options: EngineThreadOptions<Load>, onChange: () => void) {
    this.#options = options
    this.#onChange = onChange
  }

  /** A broken engine may be tried again, like one that never ran, when it has rested. */
  get is(): State<Answer>['is'] {
    const state = this.#state
    return state.is === 'broken' && performance.now() >= state.untilMs ? 'cold' : state.is
  }

  get trouble(): EngineError | undefined {
    return this.#state.is === 'broken' ? this.#state.error : undefined
  }

  /** To be called when it is free. */
  ask(question: Question, moved: Moved): Promise<Answer> {
    const asked = Promise.withResolvers<Answer>()
    this.#state = { is: 'busy', asked }
    this.#tell({ type: 'question', question }, moved)
    return asked.promise
  }

  /** Nobody waits for the answer any more; the thread is free again when the engine has noticed. */
  cancel(): void {
    this.#tell({ type: 'cancel' })
  }

  async start(): Promise<void> {
    this.#state = { is: 'starting' }
    try {
      const load = await this.#options.prepare(this.#closing.signal)
      if (this.is === 'closed') return
      const parked = new Int32Array(new SharedArrayBuffer(4))
      const workerData: MediaThreadOptions<Load> = { load, parked, gentle: this.#options.gentle ?? false }
      // Flags that the process was started with, --eval for one, are not meant for this file.
      const worker = new Worker(this.#options.file, { workerData, execArgv: [] })
      this.#worker = worker
      parkAtExit(worker, parked)
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

  async close(): Promise<void> {
    const worker = this.#worker
    this.#leave({ is: 'closed' }, new EngineError('closed', `${this.#options.name} is closed`))
    this.#closing.abort()
    if (!worker) return
    const ended = new Promise<void>((done) => worker.once('exit', () => done()))
    // A thread that is stopped inside a native library takes the process with it, so it is asked first.
    this.#tell({ type: 'cancel' })
    this.#tell({ type: 'close' })
    const timer = setTimeout(() => worker.terminate(), closeTimeoutMs)
    await ended
    clearTimeout(timer)
  }

  #tell(message: ToEngine<Question>, moved: Moved = []): void {
    this.#worker?.postMessage(message, [...moved])
  }

  #hear(message: FromEngine<Answer>): void {
    const state = this.#state
    if (message.type === 'failed') {
      this.#break(`could not be loaded: ${message.reason}`)
      return
    }
    if (state.is !== 'starting' && state.is !== 'busy') return
    this.#state = { is: 'free' }
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

const firstLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]
