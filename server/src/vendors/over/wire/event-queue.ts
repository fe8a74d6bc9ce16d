// A queue of pushed events, read by iteration. It can end normally or with an error, after the events still in it.

export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #events: Event[] = []
  readonly #onLength: (length: number) => void
  #end: { readonly error?: Error } | undefined
  #wake = () => {}

  /** `onLength` is called after each push and each read. */
  constructor(onLength: (length: number) => void = () => {}) {
    this.#onLength = onLength
  }

  push(event: Event): void {
    if (this.#end) return
    this.#events.push(event)
    this.#onLength(this.#events.length)
    this.#wake()
  }

  end(): void {
    this.#end ??= {}
    this.#wake()
  }

  /** Ends immediately and drops what is queued. */
  clear(): void {
    this.#events.length = 0
    this.end()
  }

  fail(error: Error): void {
    this.#end ??= { error }
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    for (;;) {
      const event = this.#events.shift()
      if (event !== undefined) {
        this.#onLength(this.#events.length)
        yield event
      } else if (this.#end?.error) throw this.#end.error
      else if (this.#end) return
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}
