// A text in the voice of a synthesizer, for what a realtime model does not say itself.
import type { SynthesisStream, Synthesizer, SynthesizerOptions } from '../../../ports/synthesizer.ts'
import type { SoundReader, SpokenAnswer } from './answer.ts'

export class ReadAloud implements SpokenAnswer {
  readonly transcript: string
  readonly soundMs = 0
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
      to.onEnd('complete')
    } catch (error) {
      to.onEnd(error instanceof Error ? error : new Error(String(error)))
    }
  }
}
