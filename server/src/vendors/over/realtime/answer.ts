// One answer of a realtime model: its words and tools for the language model port, its sound for the synthesizer port.
import type { Frame, RateHz } from '../../../media/frame.ts'
import type { ModelPart } from '../../../ports/language-model.ts'
import type { SynthesisStream, Synthesizer, SynthesizerOptions } from '../../../ports/synthesizer.ts'
import { PcmFrames } from '../speaks/pcm.ts'
import { EventQueue } from '../wire/event-queue.ts'

/** What reads the sound of an answer. */
export interface SoundReader {
  readonly rateHz: RateHz
  onFrames(frames: readonly Frame[]): void
  onEnd(error?: Error): void
}

/** What a voice can play. */
export interface SpokenAnswer {
  readonly transcript: string
  /** Plays the sound of the answer, from its beginning. */
  claim(to: SoundReader): void
}

export class RealtimeAnswer implements SpokenAnswer {
  readonly parts = new EventQueue<ModelPart>()
  readonly #wireRateHz: RateHz
  transcript = ''
  soundMs = 0
  #waiting: Uint8Array[] = []
  #reader: { readonly to: SoundReader; readonly pcm: PcmFrames } | undefined
  #end: { readonly error?: Error | undefined } | undefined

  constructor(wireRateHz: RateHz) {
    this.#wireRateHz = wireRateHz
  }

  get isOver(): boolean {
    return this.#end !== undefined
  }

  get isClaimed(): boolean {
    return this.#reader !== undefined
  }

  claim(to: SoundReader): void {
    this.#reader = { to, pcm: new PcmFrames(this.#wireRateHz, to.rateHz) }
    for (const bytes of this.#waiting.splice(0)) to.onFrames(this.#reader.pcm.push(bytes))
    if (this.#end) this.#endSound()
  }

  addWords(words: string): void {
    this.transcript += words
    this.parts.push({ type: 'text', text: words })
  }

  addSound(bytes: Uint8Array): void {
    this.soundMs += bytes.length / 2 / (this.#wireRateHz / 1_000)
    if (this.#reader) this.#reader.to.onFrames(this.#reader.pcm.push(bytes))
    else this.#waiting.push(bytes)
  }

  /** `error`: it failed. */
  end(error?: Error): void {
    if (this.#end) return
    this.#end = { error }
    if (error) this.parts.fail(error)
    else this.parts.end()
    this.#endSound()
  }

  #endSound(): void {
    if (!this.#reader || !this.#end) return
    const { to, pcm } = this.#reader
    to.onFrames(pcm.flush())
    to.onEnd(this.#end.error)
  }
}

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
