// One saying over a vendor's connection: clauses out, frames in, and nothing after a cancel.
import { EventQueue } from '../../platform/event-queue.ts'
import type { Outgoing } from '../../platform/vendor-socket.ts'
import type { SynthesisEvent, SynthesisStream } from '../../ports/synthesizer.ts'
import type { TtsMessage, TtsSaying } from './over-dialect.ts'
import type { PcmFrames } from './over-pcm.ts'

/** `cleared`: the vendor has confirmed a cancel. */
export type SayingEnd = 'complete' | 'cancelled' | 'cleared' | 'failed'

export interface SayingLink {
  readonly frames: PcmFrames
  send(messages: Outgoing | readonly Outgoing[]): void
  /** How much waits to be read. */
  onLength(length: number): void
  onEnd(how: SayingEnd): void
  /** The vendor's own words as a sentence of ours. */
  failureOf(reason: string): Error
}

export class SayingStream implements SynthesisStream {
  readonly #saying: TtsSaying
  readonly #link: SayingLink
  readonly #signal: AbortSignal
  readonly #events: EventQueue<SynthesisEvent>
  readonly #abort = () => this.cancel()
  #isOver = false
  #isFinished = false
  #hasUnflushed = false
  /** Clauses whose end has not been reported. */
  #clausesOwed = 0

  constructor(saying: TtsSaying, signal: AbortSignal, link: SayingLink) {
    this.#saying = saying
    this.#signal = signal
    this.#link = link
    this.#events = new EventQueue({
      onLength: (length) => {
        if (!this.#isOver) link.onLength(length)
      },
    })
  }

  begin(): void {
    if (this.#signal.aborted) {
      this.drop()
      return this.#link.onEnd('complete')
    }
    this.#signal.addEventListener('abort', this.#abort, { once: true })
    if (this.#saying.hello !== undefined) this.#link.send(this.#saying.hello)
  }

  write(clause: string): void {
    if (this.#isOver) return
    this.#hasUnflushed = true
    this.#link.send(this.#saying.write(clause))
  }

  flush(): void {
    if (this.#isOver || !this.#hasUnflushed) return
    this.#hasUnflushed = false
    this.#clausesOwed++
    const message = this.#saying.flush?.()
    if (message !== undefined) this.#link.send(message)
  }

  finish(): void {
    if (this.#isOver || this.#isFinished) return
    this.#isFinished = true
    if (this.#saying.finish) return this.#link.send(this.#saying.finish())
    this.flush()
    if (this.#clausesOwed === 0) this.#complete()
  }

  cancel(): void {
    if (this.#isOver) return
    if (this.#saying.cancel) this.#link.send(this.#saying.cancel())
    this.drop()
    this.#link.onEnd('cancelled')
  }

  /** Ends at once; what is queued is not heard. */
  drop(): void {
    this.#leave()
    this.#events.clear()
  }

  fail(error: Error): void {
    if (this.#isOver) return
    this.#leave()
    this.#events.fail(error)
  }

  receive(message: unknown): void {
    for (const one of this.#saying.decode(message)) this.#take(one)
  }

  [Symbol.asyncIterator](): AsyncIterator<SynthesisEvent> {
    return this.#events[Symbol.asyncIterator]()
  }

  #take(message: TtsMessage): void {
    if (message.type === 'cleared') return this.#link.onEnd('cleared')
    if (this.#isOver) return
    switch (message.type) {
      case 'sound':
        for (const frame of this.#link.frames.push(message.pcm)) this.#events.push({ type: 'frame', frame })
        return
      case 'words':
        return this.#events.push(message)
      case 'clause-end':
        return this.#endClause()
      case 'end':
        return this.#complete()
      case 'failed':
        this.fail(this.#link.failureOf(message.reason))
        return this.#link.onEnd('failed')
    }
  }

  #endClause(): void {
    this.#flushFrames()
    this.#events.push({ type: 'clause-end' })
    this.#clausesOwed--
    if (this.#isFinished && this.#clausesOwed <= 0 && !this.#saying.finish) this.#complete()
  }

  #complete(): void {
    this.#flushFrames()
    this.#leave()
    this.#events.end()
    this.#link.onEnd('complete')
  }

  #flushFrames(): void {
    for (const frame of this.#link.frames.flush()) this.#events.push({ type: 'frame', frame })
  }

  #leave(): void {
    this.#isOver = true
    this.#signal.removeEventListener('abort', this.#abort)
  }
}
