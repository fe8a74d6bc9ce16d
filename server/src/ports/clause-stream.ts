// Adapts engines that take whole texts to the port of a synthesizer: one clause is synthesized after the other, none
// ahead.
//
// The ports' only code: engines and vendors both need this adapter, know nothing of each other, and meet here only.
import { frameMs, makeFrame } from '../media/frame.ts'
import type {
  SynthesisEvent,
  SynthesisStream,
  Synthesizer,
  SynthesizerAbilities,
  SynthesizerOptions,
  TextSynthesizer,
} from './synthesizer.ts'

/** How long a speaker pauses after a clause. */
export type PauseAfterMs = (clause: string) => number

export const overClauses = (
  engine: TextSynthesizer,
  languages: SynthesizerAbilities['languages'],
  pauseAfterMs: PauseAfterMs = () => 0,
  isLoading?: SynthesizerAbilities['isLoading'],
): Synthesizer => ({
  abilities: { clauseEnds: true, wordTimes: false, languages, isLoading },
  open: (options, signal) => new ClauseStream(engine, { options, pauseAfterMs }, signal),
})

interface ClauseOptions {
  readonly options: SynthesizerOptions
  readonly pauseAfterMs: PauseAfterMs
}

class ClauseStream implements SynthesisStream {
  readonly #engine: TextSynthesizer
  readonly #speaking: ClauseOptions
  readonly #stop = new AbortController()
  readonly #clauses: string[] = []
  #finished = false
  #wake = () => {}

  constructor(engine: TextSynthesizer, speaking: ClauseOptions, signal: AbortSignal) {
    this.#engine = engine
    this.#speaking = speaking
    if (signal.aborted) this.cancel()
    else signal.addEventListener('abort', () => this.cancel(), { once: true, signal: this.#stop.signal })
  }

  write(clause: string): void {
    this.#clauses.push(clause)
    this.#wake()
  }

  /** A clause is synthesized as soon as it is next, with or without a flush. */
  flush(): void {}

  finish(): void {
    this.#finished = true
    this.#wake()
  }

  cancel(): void {
    this.#stop.abort()
    this.#wake()
  }

  /** There is one generator for everything: each additional one would cost every frame a few steps. */
  async *[Symbol.asyncIterator](): AsyncGenerator<SynthesisEvent> {
    const { signal } = this.#stop
    const { options, pauseAfterMs } = this.#speaking
    let pauseMs = 0
    while (!signal.aborted) {
      const clause = this.#clauses.shift()
      if (clause === undefined) {
        if (this.#finished) return
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        continue
      }
      for await (const frame of this.#engine.synthesize(clause, options, signal)) {
        for (; pauseMs > 0 && !signal.aborted; pauseMs -= frameMs)
          yield { type: 'frame', frame: makeFrame(options.rateHz) }
        if (signal.aborted) return
        yield { type: 'frame', frame }
      }
      pauseMs = pauseAfterMs(clause)
      if (!signal.aborted) yield { type: 'clause-end' }
    }
  }
}
