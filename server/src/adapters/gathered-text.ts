// `buffer_size`, for every synthesizer that is fed by text: clauses are gathered until there are so many characters, and
// given to the vendor as one. More text at a time sounds better, and comes later.
import type {
  SynthesisEvent,
  SynthesisStream,
  Synthesizer,
  SynthesizerOptions,
} from '../ports/synthesizer.ts'

/** What the specification fills in by itself. A clause is about as long, so that nothing waits for the next one. */
const usualBufferSize = 40

export const gatheredText = (engine: Synthesizer): Synthesizer => ({
  abilities: engine.abilities,
  open(options: SynthesizerOptions, signal: AbortSignal) {
    const stream = engine.open(options, signal)
    const { bufferSize = usualBufferSize } = options
    return bufferSize > usualBufferSize ? new GatheringStream(stream, bufferSize) : stream
  },
  ...(engine.warm && { warm: async (options, signal) => engine.warm?.(options, signal) }),
  close: () => engine.close?.(),
})

class GatheringStream implements SynthesisStream {
  readonly #stream: SynthesisStream
  readonly #bufferSize: number
  #gathered: string[] = []
  /** How many clauses went out as one, in order. */
  readonly #together: number[] = []

  constructor(stream: SynthesisStream, bufferSize: number) {
    this.#stream = stream
    this.#bufferSize = bufferSize
  }

  write(clause: string): void {
    this.#gathered.push(clause)
  }

  flush(): void {
    if (this.#text.length >= this.#bufferSize) this.#send()
  }

  finish(): void {
    this.#send()
    this.#stream.finish()
  }

  cancel(): void {
    this.#gathered = []
    this.#stream.cancel()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SynthesisEvent> {
    for await (const event of this.#stream) {
      const ended = event.type === 'clause-end' ? (this.#together.shift() ?? 1) : 1
      for (let n = 0; n < ended; n++) yield event
    }
  }

  get #text(): string {
    return this.#gathered.join(' ')
  }

  #send(): void {
    if (this.#gathered.length === 0) return
    this.#together.push(this.#gathered.length)
    this.#stream.write(this.#text)
    this.#stream.flush()
    this.#gathered = []
  }
}
