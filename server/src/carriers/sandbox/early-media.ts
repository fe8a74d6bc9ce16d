// What is heard on a simulated line before the answer: a ring-back tone, a network announcement.
import { type Frame, makeFrame } from '../../media/frame.ts'
import type { CalleeParts } from './callee.ts'
import { CalleePlayback } from './playback.ts'
import type { Script } from './script-schema.ts'

export class EarlyMedia {
  readonly #over = new AbortController()
  readonly #playback: CalleePlayback
  readonly #frame: Frame

  constructor(
    what: NonNullable<Script['earlyMedia']>,
    voice: string | null,
    parts: CalleeParts,
    onFailure: (reason: string) => void,
  ) {
    const { rateHz, synthesizer, sounds } = parts
    this.#frame = makeFrame(rateHz)
    this.#playback = new CalleePlayback({
      rateHz,
      synthesizer,
      sounds,
      voice: voice ?? parts.voice,
      signal: this.#over.signal,
      onKey() {},
      onFailure: (error) => {
        if (!this.#over.signal.aborted) onFailure(error instanceof Error ? error.message : String(error))
      },
    })
    this.#playback.perform(what)
  }

  /** Lent until the next call. */
  next(): Frame {
    this.#playback.fill(this.#frame.samples)
    return this.#frame
  }

  close(): void {
    this.#over.abort()
    this.#playback.close()
  }
}
