// A line in memory: the test is the other side.
import { type Frame, makeFrame, type RateHz } from '../../../src/media/frame.ts'
import type { Line, LineEvent, LineListener } from '../../../src/ports/line.ts'

export class ScriptedLine implements Line {
  readonly rateHz: RateHz = 8_000
  readonly callSid = 'sid-1'
  /** The first sample of every frame that was sent: 0 is silence, anything else says whose sound it is. */
  readonly sent: number[] = []
  hungUp = 0
  /** Lent again and again, as a real line does. */
  readonly #frame = makeFrame(this.rateHz)
  #listener: LineListener | undefined

  connect(listener: LineListener): Line {
    this.#listener = listener
    return this
  }

  send(frame: Frame): void {
    this.sent.push(frame.samples[0] ?? 0)
  }

  hangUp(): void {
    this.hungUp++
  }

  tell(event: LineEvent): void {
    this.#listener?.onEvent(event)
  }

  /** One frame of the other side, every sample the same. */
  bring(sample: number): void {
    this.#frame.samples.fill(sample)
    this.#listener?.onFrame(this.#frame)
  }
}
