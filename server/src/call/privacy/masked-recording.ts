// A recording in which personal data is replaced by a tone before it is written.
//
// What somebody says is known only when their sentence is over, so the sound waits in memory until then, and what must
// not be heard never reaches the disk. If the process dies, the sound that still waits is lost.
import { type Frame, frameMs, makeFrame, type RateHz } from '../../media/frame.ts'
import type { RecordingSink } from '../../ports/recording.ts'

// The tone is audible on every line, and quieter than speech.
const toneHz = 1_000
const amplitude = 4_000

export interface MaskedSpan {
  readonly side: 'caller' | 'agent'
  /** Milliseconds from the first frame. */
  readonly fromMs: number
  readonly toMs: number
}

// Nobody speaks for longer without a pause; 8 MB for a call at 16 kHz.
const usualHeldMs = 120_000
// So much is handed to the disk before the writer waits for it.
const burstFrames = 500

export class MaskedRecording implements RecordingSink {
  readonly #sink: RecordingSink
  readonly #heldFrames: number
  /** The samples of both sides of each frame, the caller's first. */
  #ring: Int16Array = new Int16Array()
  readonly #caller: Frame
  readonly #agent: Frame
  #written = 0
  #released = 0
  readonly #spans: MaskedSpan[] = []
  #tooLate = false

  constructor(sink: RecordingSink, rateHz: RateHz, heldMs = usualHeldMs) {
    this.#sink = sink
    this.#heldFrames = Math.ceil(heldMs / frameMs)
    this.#caller = makeFrame(rateHz)
    this.#agent = makeFrame(rateHz)
  }

  /** Replaces a span by the tone; a span may be reported more than once. */
  mask(span: MaskedSpan): void {
    const isKnown = ({ side, fromMs, toMs }: MaskedSpan) =>
      side === span.side && fromMs === span.fromMs && toMs === span.toMs
    if (span.toMs <= 0 || this.#spans.some(isKnown)) return
    if (Math.floor(Math.max(0, span.fromMs) / frameMs) < this.#released) this.#tooLate = true
    this.#spans.push(span)
  }

  write(caller: Frame, agent: Frame): void {
    const { length } = caller.samples
    if (this.#ring.length === 0) this.#ring = new Int16Array(2 * length * this.#heldFrames)
    if (this.#written - this.#released === this.#heldFrames) this.#release()
    const at = 2 * length * (this.#written % this.#heldFrames)
    this.#ring.set(caller.samples, at)
    this.#ring.set(agent.samples, at + length)
    this.#written++
  }

  async close(): Promise<void> {
    // A part of what must not be heard has been written already: no recording is better than this one.
    if (this.#tooLate) {
      await this.discard()
      throw new Error('It was not kept: personal data was recognised too late to be removed from it.')
    }
    while (this.#released < this.#written) {
      this.#release()
      if (this.#released % burstFrames === 0) await this.#sink.flushed()
    }
    await this.#sink.close()
  }

  flushed(): Promise<void> {
    return this.#sink.flushed()
  }

  async discard(): Promise<void> {
    this.#released = this.#written
    await this.#sink.discard()
  }

  #release(): void {
    const { length } = this.#caller.samples
    const at = 2 * length * (this.#released % this.#heldFrames)
    this.#caller.samples.set(this.#ring.subarray(at, at + length))
    this.#agent.samples.set(this.#ring.subarray(at + length, at + 2 * length))
    this.#censor('caller', this.#caller)
    this.#censor('agent', this.#agent)
    this.#sink.write(this.#caller, this.#agent)
    this.#released++
  }

  #censor(side: MaskedSpan['side'], { samples, rateHz }: Frame): void {
    const fromMs = this.#released * frameMs
    const isMasked = this.#spans.some(
      (span) => span.side === side && span.fromMs < fromMs + frameMs && span.toMs > fromMs,
    )
    if (!isMasked) return
    const step = (2 * Math.PI * toneHz) / rateHz
    // The position in the recording, so that the tone has no seams.
    const place = this.#released * samples.length
    for (let at = 0; at < samples.length; at++)
      samples[at] = Math.round(amplitude * Math.sin(step * (place + at)))
  }
}
