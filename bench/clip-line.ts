// A line whose other side is a recording: silence, then a clip, then silence. Keeps what it was sent, and when.
import { soundOnly } from '../server/src/carriers/over-sound-only.ts'
import { frameMs, makeFrame, type RateHz, samplesPerFrame } from '../server/src/media/frame.ts'
import type { Ticker, TickSubscription } from '../server/src/platform/clock/ticker.ts'
import type { Line, LineListener } from '../server/src/ports/line.ts'

export interface TimedClip {
  readonly clip: Int16Array
  /** The time of the clip after the answer. */
  readonly afterMs: number
}

export class ClipLine implements Line {
  readonly rateHz: RateHz = 8_000
  readonly callSid = 'bench'
  readonly can = soundOnly.can
  readonly sendDigits = soundOnly.sendDigits
  readonly hold = soundOnly.hold
  readonly transfer = soundOnly.transfer
  /** Per frame to the other side: when it left, and whether any of its samples sounded. */
  readonly sent: { readonly atMs: number; readonly sounds: boolean }[] = []
  readonly #playing: TimedClip
  readonly #listener: LineListener
  readonly #ticks: TickSubscription
  readonly #frame = makeFrame(this.rateHz)
  /** The arrival of the frame that begins n × 20 ms after the answer. */
  readonly #cameMs: number[] = []
  #isAnswered = false

  constructor(ticker: Pick<Ticker, 'add'>, listener: LineListener, playing: TimedClip) {
    this.#listener = listener
    this.#playing = playing
    this.#ticks = ticker.add(() => this.#tick())
  }

  send({ samples }: { readonly samples: Int16Array }): void {
    this.sent.push({ atMs: performance.now(), sounds: samples.some((sample) => sample !== 0) })
  }

  hangUp(): void {
    this.#ticks.end()
  }

  /** The time at which this position of the clip was spoken: a frame arrives after its last sample. */
  spokenAtMs(clipMs: number): number {
    const place = this.#playing.afterMs + clipMs
    const frame = Math.floor(place / frameMs)
    return (this.#cameMs[frame] ?? Number.NaN) - frameMs + (place - frame * frameMs)
  }

  #tick(): void {
    if (!this.#isAnswered) {
      this.#isAnswered = true
      this.#listener.onEvent({ type: 'answered', codec: { name: 'L16', rateHz: this.rateHz } })
      return
    }
    const { clip, afterMs } = this.#playing
    const { samples } = this.#frame
    const from = this.#cameMs.length * samplesPerFrame(this.rateHz) - (afterMs * this.rateHz) / 1_000
    for (let i = 0; i < samples.length; i++) samples[i] = clip[from + i] ?? 0
    this.#cameMs.push(performance.now())
    this.#listener.onFrame(this.#frame)
  }
}
