// Words that a realtime model did not think of, read by an ordinary synthesizer.
import type { SynthesisStream, Synthesizer, SynthesizerOptions } from '../../../ports/synthesizer.ts'
import type { SoundReader, SpokenAnswer } from './answer.ts'

export class ReadAloud implements SpokenAnswer {
  readonly transcript: string
  readonly #synthesizer: Synthesizer
  readonly #options: SynthesizerOptions
  #stream: SynthesisStream | undefined

  constructor(words: string, synthesizer: Synthesizer, options: SynthesizerOptions) {
    this.transcript = words
    this.#synthesizer = synthesizer
    this.#options = options
  }

  claim(to: SoundReader): void {
    this.#stream = this.#synthesizer.open(this.#options, new AbortController().signal)
    this.#stream.write(this.transcript)
    this.#stream.flush()
    this.#stream.finish()
    void this.#read(this.#stream, to)
  }

  cancel(): void {
    this.#stream?.cancel()
  }

  async #read(stream: SynthesisStream, to: SoundReader): Promise<void> {
    try {
      for await (const event of stream) if (event.type === 'frame') to.onFrames([event.frame])
      to.onEnd()
    } catch (error) {
      to.onEnd(error instanceof Error ? error : new Error(String(error)))
    }
  }
}
