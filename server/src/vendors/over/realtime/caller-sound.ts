// The caller's sound since the last answer, where there was a voice: what a model gets of a turn once it is over.
import { type Frame, frameMs, type RateHz, samplesPerFrame } from '../../../media/frame.ts'
import { Resampler } from '../../../media/resample.ts'
import type { VoiceEvent } from '../../../ports/voice-detector.ts'

// A voice is noticed after it has begun; what was said before that is sent too.
const leadFrames = 600 / frameMs
// Two minutes: nobody says more before it is answered, and a noise may never end.
const mostFrames = 120_000 / frameMs

export class CallerSound {
  readonly #wireRateHz: RateHz
  #resampler: Resampler
  #lead: Int16Array[] = []
  #voiced: Int16Array[] = []
  #isVoice = false

  constructor(wireRateHz: RateHz) {
    this.#wireRateHz = wireRateHz
    this.#resampler = new Resampler(wireRateHz, wireRateHz)
  }

  /** A new line, at another rate perhaps. */
  begin(rateHz: RateHz): void {
    this.#resampler = new Resampler(rateHz, this.#wireRateHz)
    this.#lead = []
    this.#voiced = []
    this.#isVoice = false
  }

  write({ samples }: Frame): void {
    const own = new Int16Array(samplesPerFrame(this.#wireRateHz))
    this.#resampler.run(samples, own)
    const frames = this.#isVoice ? this.#voiced : this.#lead
    frames.push(own)
    if (frames.length > (this.#isVoice ? mostFrames : leadFrames)) frames.shift()
  }

  hear({ type }: VoiceEvent): void {
    if (type === 'speech-start' && !this.#isVoice) this.#voiced.push(...this.#lead.splice(0))
    if (type === 'speech-start') this.#isVoice = true
    if (type === 'speech-end') this.#isVoice = false
  }

  /** Frames in their order; empty: the caller said nothing. */
  take(): readonly Int16Array[] {
    const taken = this.#voiced
    this.#voiced = []
    return taken
  }

  /** What was taken is to be taken again. */
  putBack(frames: readonly Int16Array[]): void {
    this.#voiced = [...frames, ...this.#voiced]
  }
}
