// A queue of pushed events, read by iteration. It can end normally or with an error, after the events still in it.

type End = { readonly with: 'quiet' } | { readonly with: 'error'; readonly error: Error }

export interface QueueWatcher {
  /** The queue length, after each push and each read. */
  onLength?(length: number): void
}

export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #events: Event[] = []
  readonly #watcher: QueueWatcher
  #end: End | undefined
  #wake = () => {}

  constructor(watcher: QueueWatcher = {}) {
    this.#watcher = watcher
  }

  push(event: Event): void {
    if (this.#end) return
    this.#events.push(event)
    this.#watcher.onLength?.(this.#events.length)
    this.#wake()
  }

  end(): void {
    this.#end ??= { with: 'quiet' }
    this.#wake()
  }

  /** Ends immediately and drops what is queued. */
  clear(): void {
    this.#events.length = 0
    this.end()
  }

  fail(error: Error): void {
    this.#end ??= { with: 'error', error }
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    for (;;) {
      const event = this.#events.shift()
      if (event !== undefined) {
        this.#watcher.onLength?.(this.#events.length)
        yield event
      } else if (this.#end?.with === 'error') throw this.#end.error
      else if (this.#end) return
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}
