// A vendor's synthesizer in a call whose agent has sentences of its own that may have been spoken before: those are
// played from kept speech, everything else is synthesized, in the order in which it was written.
import { type Frame, frameMs, makeFrame, type RateHz, samplesPerFrame } from '../../media/frame.ts'
import { Resampler } from '../../media/resample.ts'
import type {
  SpokenWord,
  SynthesisEvent,
  SynthesisStream,
  Synthesizer,
  SynthesizerOptions,
} from '../../ports/synthesizer.ts'
import type { KeptSpeech } from './speech-file.ts'
import { keptRateHz } from './speech-file.ts'

/**
 * Looks a clause up. Undefined: it is not one of the agent's own sentences; resolves to undefined if its speech is not
 * kept.
 */
export type FindKept = (
  clause: string,
  options: SynthesizerOptions,
) => Promise<KeptSpeech | undefined> | undefined

export const cachedVoice = (engine: Synthesizer, find: FindKept): Synthesizer => ({
  ...engine,
  abilities: engine.abilities,
  open: (options, signal) => new CachedStream(engine, find, options, signal),
  ...(engine.warm && { warm: engine.warm.bind(engine) }),
  ...(engine.close && { close: engine.close.bind(engine) }),
})

interface WrittenClause {
  readonly clause: string
  readonly kept: ReturnType<FindKept>
}

class CachedStream implements SynthesisStream {
  readonly #engine: Synthesizer
  readonly #find: FindKept
  readonly #options: SynthesizerOptions
  readonly #stop = new AbortController()
  /** Clauses that were neither given to the engine nor played. */
  readonly #waiting: WrittenClause[] = []
  /** The stream that takes clauses without kept speech, until one with kept speech follows. */
  #run: SynthesisStream | undefined
  #isFinished = false
  #wake = () => {}

  constructor(engine: Synthesizer, find: FindKept, options: SynthesizerOptions, signal: AbortSignal) {
    this.#engine = engine
    this.#find = find
    this.#options = options
    if (signal.aborted) this.cancel()
    else signal.addEventListener('abort', () => this.cancel(), { once: true, signal: this.#stop.signal })
  }

  write(clause: string): void {
    const kept = this.#find(clause, this.#options)
    if (this.#run && this.#waiting.length === 0 && !kept) say(this.#run, clause)
    else {
      this.#waiting.push({ clause, kept })
      this.#run?.finish()
      this.#wake()
    }
  }

  /** Kept clauses need no flush, and the engine is flushed after every clause. */
  flush(): void {}

  finish(): void {
    this.#isFinished = true
    this.#run?.finish()
    this.#wake()
  }

  cancel(): void {
    this.#stop.abort()
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SynthesisEvent> {
    const { signal } = this.#stop
    let frames = 0
    while (!signal.aborted) {
      const next = this.#waiting.shift()
      if (!next) {
        if (this.#isFinished) return
        await this.#change()
        continue
      }
      const kept = await next.kept
      if (signal.aborted) return
      const beganMs = frames * frameMs
      const events = kept ? playBack(kept, next.clause, this.#options.rateHz) : this.#synthesize(next.clause)
      for await (const event of events) {
        if (signal.aborted) return
        if (event.type === 'frame') frames++
        yield event.type === 'words' ? { type: 'words', words: later(event.words, beganMs) } : event
      }
    }
  }

  async *#synthesize(clause: string): AsyncGenerator<SynthesisEvent> {
    const run = this.#engine.open(this.#options, this.#stop.signal)
    this.#run = run
    say(run, clause)
    while (this.#waiting[0] && !this.#waiting[0].kept) say(run, this.#waiting.shift()?.clause ?? '')
    if (this.#isFinished || this.#waiting.length > 0) run.finish()
    try {
      yield* run
    } finally {
      this.#run = undefined
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

function say(stream: SynthesisStream, clause: string): void {
  stream.write(clause)
  stream.flush()
}

const later = (words: readonly SpokenWord[], byMs: number): readonly SpokenWord[] =>
  words.map(({ text, startMs, endMs }) => ({ text, startMs: startMs + byMs, endMs: endMs + byMs }))

function* playBack(
  { samples, words }: KeptSpeech,
  clause: string,
  rateHz: RateHz,
): Generator<SynthesisEvent> {
  yield { type: 'from-cache', characters: clause.length }
  if (words.length > 0) yield { type: 'words', words }
  for (const frame of framesOf(samples, rateHz)) yield { type: 'frame', frame }
  yield { type: 'clause-end' }
}

/** Cuts samples into frames; the last one is padded with silence. */
function* framesOf(samples: Int16Array, rateHz: RateHz): Generator<Frame> {
  const resampler = rateHz === keptRateHz ? undefined : new Resampler(keptRateHz, rateHz)
  const length = samplesPerFrame(keptRateHz)
  for (let at = 0; at < samples.length; at += length) {
    const part = new Int16Array(length)
    part.set(samples.subarray(at, at + length))
    const frame = makeFrame(rateHz)
    if (resampler) resampler.run(part, frame.samples)
    else frame.samples.set(part)
    yield frame
  }
}
