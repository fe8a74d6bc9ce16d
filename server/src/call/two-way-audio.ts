// The audio of an answered call: every 20 ms a frame of the caller goes to the transcriber and a frame of the agent to
// the line. Both are recorded, and so is what the agent and the target of a transfer say to each other.
//
// While caller and agent are apart (a hold, a transfer) the transcriber gets silence, and so does the line unless the
// caller waits for somebody else.
import { type Frame, frameMs, makeFrame, type RateHz, silence } from '../media/frame.ts'
import { applyRamp, mixInto } from '../media/mix.ts'
import { CallerQueue } from './listen/caller-queue.ts'
import type { Recognition } from './listen/recognition.ts'
import type { ArrivalTimes } from './record/arrival-times.ts'
import type { Recorder } from './record/recorder.ts'
import type { SpeechOutput } from './speak/speech-output.ts'

/** 20 ms of a second call that belongs to this one. */
export interface Aside {
  readonly heard: Frame
  readonly said: Frame
}

export interface TwoWayParts {
  readonly rateHz: RateHz
  readonly answeredMs: number
  readonly recognition: Recognition
  readonly output: SpeechOutput
  readonly recorder: Recorder
  /** Is told when what was heard had reached the line. */
  readonly arrivals: ArrivalTimes
  readonly send: (frame: Frame) => void
  /** Adds the music that a caller hears who waits for a transfer. */
  readonly comfort: (samples: Int16Array) => void
  /** Speech that is not recognised cannot be masked, so it is not recorded either. */
  readonly recordsApart: boolean
  /** The second call of a transfer, while there is one. */
  readonly aside: () => Aside | undefined
}

export class TwoWay {
  readonly #parts: TwoWayParts
  readonly #queue: CallerQueue
  readonly #quiet: Frame
  readonly #out: Frame
  /** The caller and the target of a transfer together. */
  readonly #both: Frame
  /** The frame in which the agent's words and the music meet. */
  readonly #seam: Frame
  #wasAside = false
  #caller: Frame
  #heardMs = 0

  constructor(parts: TwoWayParts) {
    this.#parts = parts
    this.#queue = new CallerQueue(parts.rateHz)
    this.#quiet = silence(parts.rateHz)
    this.#caller = this.#quiet
    this.#out = makeFrame(parts.rateHz)
    this.#both = makeFrame(parts.rateHz)
    this.#seam = makeFrame(parts.rateHz)
  }

  push(frame: Frame, arrivedMs?: number): void {
    this.#queue.push(frame, arrivedMs)
  }

  /** Catches up to now. Where ticks were dropped, nothing was sent: those frames are silent on our side. */
  hear(nowMs: number, apart: boolean): void {
    const { recorder, answeredMs, output } = this.#parts
    const missed = Math.max(0, Math.round((nowMs - answeredMs - this.#heardMs) / frameMs) - 1)
    for (let left = missed; left > 0; left--) {
      this.#listen(this.#quiet.samples, apart, left)
      recorder.write(this.#caller, this.#quiet)
    }
    if (missed > 0 && !apart) output.missed(missed)
    // The latest frame that can have echoed back was sent 20 ms ago.
    this.#listen(this.#out.samples, apart, 0)
  }

  speak(apart: boolean): void {
    const { output, send, comfort } = this.#parts
    // Playback pauses, and resumes where it stopped.
    if (apart) this.#out.samples.fill(0)
    else output.fill(this.#out.samples)
    comfort(this.#out.samples)
    send(this.#out)
    this.#record(apart)
  }

  /** The words to the target take the place of the music that the caller hears meanwhile. */
  #record(apart: boolean): void {
    const { recorder, aside, recordsApart } = this.#parts
    const second = aside()
    if (apart && !recordsApart) recorder.write(this.#quiet, this.#quiet)
    else if (!second) recorder.write(this.#caller, this.#wasAside ? this.#music(0, 1) : this.#out)
    else {
      this.#both.samples.set(this.#caller.samples)
      mixInto(this.#both.samples, second.heard.samples)
      recorder.write(this.#both, this.#wasAside ? second.said : this.#music(1, 0))
    }
    this.#wasAside = second !== undefined
  }

  /** A frame in which the music rises or falls, so that the recording does not click. */
  #music(fromGain: number, toGain: number): Frame {
    this.#seam.samples.set(this.#out.samples)
    applyRamp(this.#seam.samples, fromGain, toGain)
    return this.#seam
  }

  /** `more`: how many frames follow at once. */
  #listen(sent: Int16Array, apart: boolean, more: number): void {
    const { recognition, arrivals, answeredMs } = this.#parts
    this.#heardMs += frameMs
    this.#caller = this.#queue.take(more)
    arrivals.note(answeredMs + this.#heardMs, this.#queue.arrivedMs)
    // Hold music is not speech. Silence keeps audio positions and times in step.
    recognition.hear(apart ? this.#quiet : this.#caller, sent)
  }
}
