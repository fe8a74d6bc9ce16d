// One thread for the sentences of many calls. It decodes one piece at a time, always for the call whose sound would run
// out first. A call that waits for its first sound comes before all that have enough, and after those that would falter.
import { EngineError } from '../engine/engine-error.ts'
import type { EnginePool } from '../engine/engine-pool.ts'
import type { Piece, PieceQuestion, Sentence, WrenLoad } from './wren-worker.ts'

/** What one listener has been given: it lasts over all sentences of a text. */
export class Playback {
  /** When the sound given so far will have been heard; undefined before the first. */
  runsOutAtMs: number | undefined

  add(soundMs: number, nowMs: number): void {
    this.runsOutAtMs = Math.max(this.runsOutAtMs ?? 0, nowMs) + soundMs
  }
}

export interface Request {
  readonly id: number
  readonly sentence: Sentence
  readonly framesGiven: number
  readonly playback: Playback
  readonly signal: AbortSignal
}

interface Waiting {
  readonly request: Request
  readonly deliver: (piece: Piece) => void
  readonly fail: (error: unknown) => void
}

type Pool = Pick<EnginePool<WrenLoad, PieceQuestion, Piece>, 'ask' | 'close'>

// In frames of 12.5 ms. The first piece is short, so that something is heard soon. The others are short enough to leave
// the thread soon after an interruption: 20 to 70 ms of work, depending on the processor.
const firstPiece = 16
const usualPiece = 32
// Every piece costs 52 frames of context. Where many calls share the thread, long pieces let more of them speak at once.
const crowdedPiece = 160
const crowd = 6
// Sound that lasts for two pieces of a crowd. A call with less falters if another one begins first.
const enoughMs = 300
// The last of so many waits for about four seconds; a call gives up after five.
const mostWaiting = 128

export class SharedThread {
  readonly #pool: Pool
  readonly #name: string
  readonly #nowMs: () => number
  #waiting: Waiting[] = []
  #isBusy = false
  /** Sentences under way. */
  readonly #sentences = new Set<number>()
  /** Those that were left before their last piece, which the worker does not know yet. */
  #forget: number[] = []
  /** The buffer of the last piece, for the next. */
  #into = new Int16Array(0)

  constructor(name: string, pool: Pool, nowMs = () => performance.now()) {
    this.#name = name
    this.#pool = pool
    this.#nowMs = nowMs
  }

  get sentences(): number {
    return this.#sentences.size
  }

  /** `use` is called at once, before the buffer of the piece is used again. */
  async next<Result>(request: Request, use: (piece: Piece) => Result): Promise<Result> {
    request.signal.throwIfAborted()
    if (this.#waiting.length >= mostWaiting) throw new EngineError('busy', `${this.#name} has too much to do`)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const waiting = { request, deliver: (piece: Piece) => resolve(use(piece)), fail: reject }
    const leave = () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting)
      reject(request.signal.reason)
    }
    request.signal.addEventListener('abort', leave, { once: true })
    this.#sentences.add(request.id)
    this.#waiting.push(waiting)
    this.#go()
    return promise.finally(() => request.signal.removeEventListener('abort', leave))
  }

  /** The sentence is complete, or nobody listens to it any more. */
  leave(id: number): void {
    if (this.#sentences.delete(id)) this.#forget.push(id)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #go(): void {
    if (this.#isBusy || this.#waiting.length === 0) return
    const beginsAtMs = this.#nowMs() + enoughMs
    const dueAtMs = ({ request }: Waiting) => request.playback.runsOutAtMs ?? beginsAtMs
    const soonest = this.#waiting.reduce((first, other) => (dueAtMs(other) < dueAtMs(first) ? other : first))
    this.#waiting = this.#waiting.filter((other) => other !== soonest)
    this.#isBusy = true
    void this.#ask(soonest).finally(() =>
      // The listener that was served may ask for more before the next one is chosen.
      setImmediate(() => {
        this.#isBusy = false
        this.#go()
      }),
    )
  }

  async #ask({ request, deliver, fail }: Waiting): Promise<void> {
    const { id, sentence, framesGiven, signal } = request
    const into = this.#into
    const forget = this.#forget
    const wrenFrames = framesGiven === 0 ? firstPiece : this.sentences >= crowd ? crowdedPiece : usualPiece
    const make = () => {
      // Until the piece comes back the buffer is the worker's; one that does not come back is replaced.
      this.#into = new Int16Array(0)
      this.#forget = []
      return { id, sentence, framesGiven, wrenFrames, into, forget }
    }
    try {
      const piece = await this.#pool.ask(make, { signal })
      deliver(piece)
      this.#into = piece.into
    } catch (error) {
      fail(error)
    }
  }
}
