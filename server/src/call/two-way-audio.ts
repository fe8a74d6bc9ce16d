// The sound of an answered call: each 20 ms a frame of the caller to the ears, one of the agent to the line, both kept.
import { type Frame, frameMs, makeFrame, type RateHz, silence } from '../media/frame.ts'
import { CallerQueue } from './listen/caller-queue.ts'
import type { Ears } from './listen/ears.ts'
import type { Recorder } from './record/recorder.ts'
import type { Mouth } from './speak/mouth.ts'

export interface TwoWayParts {
  readonly rateHz: RateHz
  readonly answeredMs: number
  readonly ears: Ears
  readonly mouth: Mouth
  readonly recorder: Recorder
  readonly send: (frame: Frame) => void
}

export class TwoWay {
  readonly #parts: TwoWayParts
  readonly #queue: CallerQueue
  readonly #quiet: Frame
  readonly #out: Frame
  #caller: Frame
  #heardMs = 0

  constructor(parts: TwoWayParts) {
    this.#parts = parts
    this.#queue = new CallerQueue(parts.rateHz)
    this.#quiet = silence(parts.rateHz)
    this.#caller = this.#quiet
    this.#out = makeFrame(parts.rateHz)
  }

  push(frame: Frame): void {
    this.#queue.push(frame)
  }

  /** Up to now. Where ticks were dropped nothing was sent: those frames are silent on our side, and none is made up. */
  hear(nowMs: number): void {
    const { ears, recorder, answeredMs } = this.#parts
    const passedMs = nowMs - answeredMs
    while (passedMs - this.#heardMs > 1.5 * frameMs) {
      this.#listen(ears, this.#quiet.samples)
      recorder.write(this.#caller, this.#quiet)
    }
    // What left 20 ms ago is the newest that can have come back.
    this.#listen(ears, this.#out.samples)
  }

  speak(): void {
    const { mouth, recorder, send } = this.#parts
    mouth.fill(this.#out.samples)
    send(this.#out)
    recorder.write(this.#caller, this.#out)
  }

  #listen(ears: Ears, sent: Int16Array): void {
    this.#heardMs += frameMs
    this.#caller = this.#queue.take()
    ears.hear(this.#caller, sent)
  }
}
