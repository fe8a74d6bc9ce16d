// A synthesizer in memory: every word lasts 200 ms, and every text has a sample of its own by which it is known.
import { type Frame, makeFrame } from '../../../src/media/frame.ts'
import type { SynthesizerOptions, TextSynthesizer } from '../../../src/ports/synthesizer.ts'

export const framesPerWord = 10

export class ScriptedVoice implements TextSynthesizer {
  readonly texts: string[] = []
  /** What the next syntheses do instead of working. */
  readonly faults: ('throws' | 'hangs' | 'breaks off')[] = []
  /** Resolves before any sound is made. */
  delay: Promise<void> | undefined

  async *synthesize(
    text: string,
    { rateHz }: SynthesizerOptions,
    signal: AbortSignal,
  ): AsyncGenerator<Frame> {
    if (!this.texts.includes(text)) this.texts.push(text)
    const fault = this.faults.shift()
    if (fault === 'throws') throw new Error('The voice is away.')
    if (fault === 'hangs') await new Promise(() => {})
    await this.delay
    const count = text.split(/\s+/).length * framesPerWord
    for (let n = 0; n < count; n++) {
      if (signal.aborted) return
      if (fault === 'breaks off' && n === count / 2) throw new Error('The voice broke off.')
      const frame = makeFrame(rateHz)
      frame.samples.fill(this.sampleOf(text))
      yield frame
    }
  }

  /** 0: nobody asked for it. */
  sampleOf(text: string): number {
    return (this.texts.indexOf(text) + 1) * 100
  }
}
