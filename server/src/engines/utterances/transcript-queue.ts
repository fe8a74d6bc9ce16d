// Unread events of one stream; an unread partial is replaced by the next.
import type { TranscriptEvent } from '../../ports/transcriber.ts'

type End = { readonly with: 'quiet' } | { readonly with: 'error'; readonly error: Error }

export class TranscriptQueue implements AsyncIterable<TranscriptEvent> {
  readonly #events: TranscriptEvent[] = []
  #end: End | undefined
  #wake = () => {}

  push(event: TranscriptEvent): void {
    if (this.#end) return
    if (event.type === 'partial' && this.#events.at(-1)?.type === 'partial') this.#events.pop()
    this.#events.push(event)
    this.#wake()
  }

  end(): void {
    this.#end ??= { with: 'quiet' }
    this.#wake()
  }

  fail(error: Error): void {
    this.#end ??= { with: 'error', error }
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TranscriptEvent> {
    for (;;) {
      const event = this.#events.shift()
      if (event) yield event
      else if (this.#end?.with === 'error') throw this.#end.error
      else if (this.#end) return
      else
        await new Promise<void>((done) => {
          this.#wake = done
        })
    }
  }
}
