// A stream of an engine that listens: opened again when it fails, and given up when it fails again soon after.
import type { Frame } from '../../media/frame.ts'
import { sentence } from '../engine-fault.ts'

export interface ReopeningEvents {
  /** How much sound there was so far. */
  heardMs(): number
  onNote(note: string): void
  onFailure(error: string): void
}

type Open<Stream> = (signal: AbortSignal, fail: (error: string) => void) => Stream

// Two failures within a minute are one engine that is down; two in an hour are two bad moments.
const soonMs = 60_000

export class Reopening<Stream extends { write(frame: Frame): void }> {
  readonly #name: string
  readonly #open: Open<Stream>
  readonly #events: ReopeningEvents
  #stop = new AbortController()
  #stream: Stream | undefined
  #openedMs = 0
  #failedMs = Number.NEGATIVE_INFINITY

  constructor(name: string, open: Open<Stream>, events: ReopeningEvents) {
    this.#name = name
    this.#open = open
    this.#events = events
  }

  get stream(): Stream | undefined {
    return this.#stream
  }

  /** Where in the sound this stream began. */
  get openedMs(): number {
    return this.#openedMs
  }

  open(): void {
    const stop = new AbortController()
    this.#stop = stop
    this.#openedMs = this.#events.heardMs()
    try {
      this.#stream = this.#open(stop.signal, (error) => {
        if (!stop.signal.aborted) this.#fail(error)
      })
    } catch (error) {
      this.#fail(sentence(error))
    }
  }

  write(frame: Frame): void {
    try {
      this.#stream?.write(frame)
    } catch (error) {
      this.#fail(sentence(error))
    }
  }

  /** Anything else that is asked of the stream; one that throws has failed. */
  use(act: (stream: Stream) => void): void {
    try {
      if (this.#stream) act(this.#stream)
    } catch (error) {
      this.#fail(sentence(error))
    }
  }

  /** `bye` lets the engine go; the signal tells it that nobody waits. */
  close(bye: (stream: Stream) => void): void {
    const stream = this.#stream
    this.#stream = undefined
    this.#stop.abort()
    try {
      if (stream) bye(stream)
    } catch {
      // It is gone either way.
    }
  }

  #fail(error: string): void {
    const soon = this.#events.heardMs() - this.#failedMs < soonMs
    this.#failedMs = this.#events.heardMs()
    this.#stream = undefined
    this.#stop.abort()
    if (soon) {
      this.#events.onFailure(error)
      return
    }
    this.#events.onNote(`The ${this.#name} failed and was opened again: ${error}`)
    this.open()
  }
}
