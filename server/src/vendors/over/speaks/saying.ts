// One saying over a vendor's connection: clauses out, frames in, and nothing after a cancel.

import type { SynthesisEvent, SynthesisStream } from '../../../ports/synthesizer.ts'
import { EventQueue } from '../wire/event-queue.ts'
import type { OutgoingMessage } from '../wire/vendor-socket.ts'
import type { TtsMessage, TtsSaying } from './dialect.ts'
import type { PcmFrames } from './pcm.ts'

/** `cleared`: the vendor has confirmed a cancel. */
export type SayingEnd = 'complete' | 'cancelled' | 'cleared' | 'failed'

export interface SayingLink {
  readonly frames: PcmFrames
  send(messages: OutgoingMessage | readonly OutgoingMessage[]): void
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
  /** What was flushed and has not been spoken. */
  #flushesOwed = 0

  constructor(saying: TtsSaying, signal: AbortSignal, link: SayingLink) {
    this.#saying = saying
    this.#signal = signal
    this.#link = link
    this.#events = new EventQueue((length) => {
      if (!this.#isOver) link.onLength(length)
    })
  }

  begin(): void {
    if (this.#signal.aborted) {
      this.drop()
      this.#link.onEnd('complete')
      return
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
    if (!this.#isOver) this.#flush(false)
  }

  finish(): void {
    if (this.#isOver || this.#isFinished) return
    this.#isFinished = true
    if (this.#saying.finish) this.#link.send(this.#saying.finish())
    else {
      this.#flush(true)
      if (this.#flushesOwed === 0) this.#complete()
    }
  }

  cancel(): void {
    if (this.#isOver) return
    const isIdle = this.#saying.isIdle?.() ?? false
    if (this.#saying.cancel) this.#link.send(this.#saying.cancel())
    this.drop()
    this.#link.onEnd(isIdle ? 'cleared' : 'cancelled')
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
    if (message.type === 'cleared' || (this.#isOver && message.type === 'end')) this.#link.onEnd('cleared')
    // A saying that is over may have to be stopped once its vendor has told how.
    if (message.type === 'send') this.#link.send(message.messages)
    if (this.#isOver) return
    if (message.type === 'sound') this.#hear(message.pcm)
    else if (message.type === 'words') this.#events.push(message)
    else if (message.type === 'flushed' || message.type === 'clause-end') this.#spoken(message.type)
    else if (message.type === 'end') this.#complete()
    else if (message.type === 'failed') {
      this.fail(this.#link.failureOf(message.reason))
      this.#link.onEnd('failed')
    }
  }

  #hear(pcm: Uint8Array): void {
    for (const frame of this.#link.frames.push(pcm)) this.#events.push({ type: 'frame', frame })
  }

  #spoken(what: 'flushed' | 'clause-end'): void {
    if (what === 'clause-end') {
      this.#flushFrames()
      this.#events.push({ type: 'clause-end' })
    }
    this.#flushesOwed--
    if (this.#isFinished && this.#flushesOwed <= 0 && !this.#saying.finish) this.#complete()
  }

  #complete(): void {
    this.#flushFrames()
    this.#leave()
    this.#events.end()
    this.#link.onEnd('complete')
  }

  #flush(isLast: boolean): void {
    if (!this.#hasUnflushed) return
    const message = this.#saying.flush?.(isLast)
    if (message === undefined) return
    this.#link.send(message)
    this.#hasUnflushed = false
    this.#flushesOwed++
  }

  #flushFrames(): void {
    for (const frame of this.#link.frames.flush()) this.#events.push({ type: 'frame', frame })
  }

  #leave(): void {
    this.#isOver = true
    this.#signal.removeEventListener('abort', this.#abort)
  }
}
