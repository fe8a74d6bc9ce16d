// A synthesizer in memory: every word lasts 200 ms, and every text has its own sample value, which identifies it.
import { type Frame, makeFrame } from '../../../src/media/frame.ts'
import type { SynthesizerOptions, TextSynthesizer } from '../../../src/ports/synthesizer.ts'

export const framesPerWord = 10
// Bounds the memory in calls of hours.
const mostRemembered = 1_000

export class ScriptedVoice implements TextSynthesizer {
  readonly texts: string[] = []
  /** The voice and the language of the last syntheses. */
  readonly options: SynthesizerOptions[] = []
  /** The failures of the next syntheses. */
  readonly faults: ('throws' | 'hangs' | 'breaks off')[] = []
  /** Awaited before any audio is produced. */
  delay: Promise<void> | undefined

  async *synthesize(text: string, options: SynthesizerOptions, signal: AbortSignal): AsyncGenerator<Frame> {
    if (this.options.push(options) > mostRemembered) this.options.shift()
    if (!this.texts.includes(text)) this.texts.push(text)
    const fault = this.faults.shift()
    if (fault === 'throws') throw new Error('The voice is away.')
    if (fault === 'hangs') await new Promise(() => {})
    await this.delay
    const count = text.split(/\s+/).length * framesPerWord
    for (let n = 0; n < count; n++) {
      if (signal.aborted) return
      if (fault === 'breaks off' && n === count / 2) throw new Error('The voice broke off.')
      const frame = makeFrame(options.rateHz)
      frame.samples.fill(this.sampleOf(text))
      yield frame
    }
  }

  /** 0 if it was never synthesized. */
  sampleOf(text: string): number {
    return (this.texts.indexOf(text) + 1) * 100
  }
}
