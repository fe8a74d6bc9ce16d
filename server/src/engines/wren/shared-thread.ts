// One thread for the sentences of many calls. It decodes one piece at a time, always for the call whose sound would
// run out first. A call that waits for its first sound comes before all calls that have enough, and after those that
// would falter.

import type { EnginePool } from '../engine/engine-pool.ts'
import { EngineError } from '../engine/engine-thread.ts'
import type { PieceQuestion, WrenLoad, WrenPiece, WrenSentence } from './wren-worker.ts'

/** The sound that one listener has been given, over all sentences of a text. */
export class ListenerBuffer {
  /** When the sound given so far will have been heard; undefined before the first. */
  runsOutAtMs: number | undefined

  add(soundMs: number, nowMs: number): void {
    this.runsOutAtMs = Math.max(this.runsOutAtMs ?? 0, nowMs) + soundMs
  }
}

export interface Request {
  readonly id: number
  readonly sentence: WrenSentence
  readonly framesGiven: number
  readonly playback: ListenerBuffer
  readonly signal: AbortSignal
}

interface QueuedRequest {
  readonly request: Request
  readonly deliver: (piece: WrenPiece) => void
  readonly fail: (error: unknown) => void
}

type Pool = Pick<EnginePool<WrenLoad, PieceQuestion, WrenPiece>, 'ask' | 'load' | 'isLoading' | 'close'>

// Lengths of pieces in frames of 12.5 ms. The first piece of a sentence that is waited for is short, so that something
// is heard soon; the next ones are short enough to leave the thread soon after an interruption. Longer pieces take
// less work, which matters in a crowd, and a listener with much sound ahead can wait for them.
const firstPiece = 16
const usualPiece = 32
const longPiece = 64
const longestPiece = 128
const crowd = 6
const largeCrowd = 16
const farAheadMs = 1_000
// Enough sound lasts for several pieces of others. A call with less falters if another one begins first; if more were
// required, the last one of a crowd would begin later.
const enoughMs = 200
// A thread that has as many listeners as it can serve uses up what they have ahead: one more begins only when all of
// them have enough to reach the end of what they say.
const enoughWhenFullMs = 2_000
// The share of work at which a thread is full; the rest is for the beginnings of sentences.
const fullShare = 0.8
// How fast the estimate of the work follows the last pieces.
const shareOfNew = 0.1
// The last of so many waits for about four seconds; a call gives up after five.
const mostWaiting = 128

export class SharedThread {
  readonly #pool: Pool
  readonly #name: string
  readonly #nowMs: () => number
  #waiting: QueuedRequest[] = []
  #isBusy = false
  /** The sentences under way. */
  readonly #sentences = new Set<number>()
  /** Sentences that were left before their last piece, which the worker does not know yet. */
  #forget: number[] = []
  /** The buffer of the last piece, for the next one. */
  #into = new Int16Array(0)
  /** Sentences of which some sound was given. */
  readonly #begun = new Set<number>()
  /** The seconds of work for each second of sound. */
  #workShare = 0

  constructor(name: string, pool: Pool, nowMs = () => performance.now()) {
    this.#name = name
    this.#pool = pool
    this.#nowMs = nowMs
  }

  get sentences(): number {
    return this.#sentences.size
  }

  /** Decodes the next piece. `use` is called at once, before the buffer of the piece is used again. */
  async next<Result>(request: Request, use: (piece: WrenPiece) => Result): Promise<Result> {
    request.signal.throwIfAborted()
    if (this.#waiting.length >= mostWaiting) throw new EngineError('busy', `${this.#name} has too much to do`)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const waiting = { request, deliver: (piece: WrenPiece) => resolve(use(piece)), fail: reject }
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

  /** Forgets a sentence that is complete, or that nobody listens to any more. */
  leave(id: number): void {
    this.#begun.delete(id)
    if (this.#sentences.delete(id)) this.#forget.push(id)
  }

  get isLoading(): boolean {
    return this.#pool.isLoading
  }

  load(): Promise<void> {
    return this.#pool.load()
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #go(): void {
    if (this.#isBusy || this.#waiting.length === 0) return
    const isFull = (this.#begun.size + 1) * this.#workShare > fullShare
    const beginsAtMs = this.#nowMs() + (isFull ? enoughWhenFullMs : enoughMs)
    const dueAtMs = ({ request }: QueuedRequest) => request.playback.runsOutAtMs ?? beginsAtMs
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

  #lengthFor({ framesGiven, playback }: Request): number {
    const aheadMs = (playback.runsOutAtMs ?? 0) - this.#nowMs()
    const isFarAhead = aheadMs >= farAheadMs
    if (framesGiven === 0 && !isFarAhead) return firstPiece
    if (isFarAhead && this.sentences >= largeCrowd) return longestPiece
    return isFarAhead || this.sentences >= crowd ? longPiece : usualPiece
  }

  /**
   * Learns from all but the first pieces: those carry the work for the whole sentence, and would make any thread look
   * full.
   */
  #learn(workMs: number, { from, to }: WrenPiece, { sentence: { rateHz }, framesGiven }: Request): void {
    if (framesGiven === 0) return
    const soundMs = (1_000 * (to - from)) / rateHz
    if (soundMs > 0) this.#workShare += shareOfNew * (workMs / soundMs - this.#workShare)
  }

  async #ask({ request, deliver, fail }: QueuedRequest): Promise<void> {
    const { id, sentence, framesGiven, signal } = request
    const into = this.#into
    const forget = this.#forget
    const wrenFrames = this.#lengthFor(request)
    const begunMs = this.#nowMs()
    const make = () => {
      // Until the piece comes back, the buffer belongs to the worker; one that does not come back is replaced.
      this.#into = new Int16Array(0)
      this.#forget = []
      return { id, sentence, framesGiven, wrenFrames, into, forget }
    }
    try {
      const piece = await this.#pool.ask(make, { signal })
      this.#learn(this.#nowMs() - begunMs, piece, request)
      if (this.#sentences.has(id)) this.#begun.add(id)
      deliver(piece)
      this.#into = piece.into
    } catch (error) {
      fail(error)
    }
  }
}
