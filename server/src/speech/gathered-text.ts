// Implements `buffer_size` for every synthesizer that is fed by text: gathers clauses until there are so many
// characters, and gives them to the vendor as one. More text at a time sounds better, and comes later.
import type { SynthesisEvent, SynthesisStream, Synthesizer } from '../ports/synthesizer.ts'

/** The default of the specification. A clause is about as long, so that nothing waits for the next one. */
const usualBufferSize = 40

export function gatheredText(engine: Synthesizer, bufferSize = usualBufferSize): Synthesizer {
  if (bufferSize <= usualBufferSize) return engine
  const { abilities, warm } = engine
  return {
    // When clauses are spoken as one, nobody knows where the first ends.
    abilities: { ...abilities, clauseEnds: false },
    open: (options, signal) => new GatheringStream(engine.open(options, signal), bufferSize),
    ...(warm && { warm: async (options, signal) => warm.call(engine, options, signal) }),
    close: () => engine.close?.(),
  }
}

class GatheringStream implements SynthesisStream {
  readonly #stream: SynthesisStream
  readonly #bufferSize: number
  #gathered: string[] = []

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
    for await (const event of this.#stream) if (event.type !== 'clause-end') yield event
  }

  get #text(): string {
    return this.#gathered.join(' ')
  }

  #send(): void {
    if (this.#gathered.length === 0) return
    this.#stream.write(this.#text)
    this.#stream.flush()
    this.#gathered = []
  }
}
