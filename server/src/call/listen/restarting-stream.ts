// A listening engine's stream: reopened when it fails, given up when it fails again soon after.
import type { Frame } from '../../media/frame.ts'
import { faultSentence } from '../contain.ts'

export interface RestartingStreamEvents {
  /** How much audio has been heard so far. */
  heardMs(): number
  onNote(note: string): void
  onFailure(error: string): void
}

type Open<Stream> = (signal: AbortSignal, fail: (error: string) => void) => Stream

// Two failures within a minute mean that the engine is down; two within an hour are unrelated faults.
const soonMs = 60_000

export class RestartingStream<Stream extends { write(frame: Frame): void }> {
  readonly #name: string
  readonly #open: Open<Stream>
  readonly #events: RestartingStreamEvents
  #stop = new AbortController()
  #stream: Stream | undefined
  #openedMs = 0
  #failedMs = Number.NEGATIVE_INFINITY

  constructor(name: string, open: Open<Stream>, events: RestartingStreamEvents) {
    this.#name = name
    this.#open = open
    this.#events = events
  }

  /** The position in the audio at which this stream began. */
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
      this.#fail(faultSentence(error))
    }
  }

  write(frame: Frame): void {
    try {
      this.#stream?.write(frame)
    } catch (error) {
      this.#fail(faultSentence(error))
    }
  }

  /** Makes any other call on the stream; a stream that throws has failed. */
  use(act: (stream: Stream) => void): void {
    try {
      if (this.#stream) act(this.#stream)
    } catch (error) {
      this.#fail(faultSentence(error))
    }
  }

  /** `bye` closes the stream; the signal aborts what is pending. */
  close(bye: (stream: Stream) => void): void {
    const stream = this.#stream
    this.#stream = undefined
    this.#stop.abort()
    try {
      if (stream) bye(stream)
    } catch {
      // A stream that throws while it is closed is closed all the same.
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
