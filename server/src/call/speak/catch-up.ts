// Makes up for sound that the machine was too busy to send in time. Pauses become shorter; where there are none, two frames that
// sound alike become one now and then. No word is left out.
import { type Frame, frameMs, makeFrame } from '../../media/frame.ts'
import { crossfade, likeness } from '../../media/mix.ts'
import type { Saying } from './saying.ts'

// What is longer than this was heard as a pause, and the rest of the saying is simply later.
const mostOwedFrames = 500 / frameMs
// This much of a pause is kept: words do not run together.
const keptPauseFrames = 60 / frameMs
// A pause that comes within a second is better.
const patienceFrames = 1_000 / frameMs
// A voice that is a tenth faster is not noticed.
const framesBetweenMerges = 10
// Frames less alike would cancel each other out.
const leastLikeness = 0.5
// About -44 dBFS: between words.
const quietPeak = 200

export class CatchUp {
  #owedFrames = 0
  #quietFrames = 0
  /** Frames until two may become one. */
  #untilMerge = 0
  #merged: Frame | undefined

  owe(frames: number): void {
    if (this.#owedFrames === 0) this.#untilMerge = patienceFrames
    this.#owedFrames = Math.min(this.#owedFrames + frames, mostOwedFrames)
  }

  /** Another saying begins, which is late by nothing. */
  forget(): void {
    this.#owedFrames = 0
    this.#quietFrames = 0
  }

  /** Takes the next frame of a saying; undefined if none is ready. */
  take(saying: Saying): Frame | undefined {
    if (this.#owedFrames === 0) return saying.take()
    for (; this.#owedFrames > 0 && this.#isPause(saying); this.#owedFrames--) saying.take()
    const frame = saying.take()
    if (!frame) return undefined
    this.#quietFrames = isQuiet(frame) ? this.#quietFrames + 1 : 0
    if (this.#owedFrames === 0 || --this.#untilMerge > 0) return frame
    return this.#merge(frame, saying)
  }

  #isPause({ next }: Saying): boolean {
    return next !== undefined && this.#quietFrames >= keptPauseFrames && isQuiet(next)
  }

  #merge(frame: Frame, saying: Saying): Frame {
    const { next } = saying
    if (!next || likeness(frame.samples, next.samples) < leastLikeness) return frame
    this.#untilMerge = framesBetweenMerges
    this.#owedFrames--
    if (this.#merged?.rateHz !== frame.rateHz) this.#merged = makeFrame(frame.rateHz)
    crossfade(frame.samples, next.samples, this.#merged.samples)
    saying.take()
    return this.#merged
  }
}

function isQuiet({ samples }: Frame): boolean {
  for (let i = 0; i < samples.length; i++) if (Math.abs(samples[i] as number) > quietPeak) return false
  return true
}
