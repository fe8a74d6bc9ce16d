// What is sent on the line: the sayings in order, silence between them, background noise under everything.
import type { Frame } from '../../media/frame.ts'
import { applyRamp, mixInto } from '../../media/mix.ts'
import { CatchUp } from './catch-up.ts'
import type { Saying } from './saying.ts'

export interface PlayerEvents {
  onBegan(saying: Saying): void
  onDrained(saying: Saying): void
  /** Reports that a piece of the saying starts playing. */
  onPiece(saying: Saying): void
}

export type AmbienceSource = (frameNumber: number) => Frame

export class Player {
  readonly #events: PlayerEvents
  readonly #ambience: AmbienceSource | undefined
  readonly #queue: Saying[] = []
  /** The saying that has started playing. */
  #begun: Saying | undefined
  #pieces = 0
  #paused = false
  /** Whether the last 20 ms that were sent contained speech. */
  #audible = false
  /** The frame that fades out in the next 20 ms: a voice that is cut off clicks. */
  #tail: Frame | undefined
  /** Playback resumes in the middle of a word. */
  #resumed = false
  #frameNumber = 0
  readonly #catchUp = new CatchUp()

  constructor(events: PlayerEvents, ambience?: AmbienceSource) {
    this.#events = events
    this.#ambience = ambience
  }

  add(saying: Saying): void {
    this.#queue.push(saying)
  }

  pause(): void {
    if (!this.#paused) this.#fade(this.#queue[0])
    this.#paused = true
  }

  resume(): void {
    this.#resumed = this.#queue[0] === this.#begun
    this.#paused = false
  }

  /** Plays nothing more of a generation. True if some of it was played. */
  drop(generation: number): boolean {
    const place = this.#queue.findIndex((saying) => saying.generation === generation)
    if (place < 0) return false
    const [dropped] = this.#queue.splice(place, 1)
    if (!this.#paused) this.#fade(dropped)
    this.#paused = false
    return dropped === this.#begun
  }

  /** Notes that so many frames could not be sent: what was playing is behind by as much. */
  missed(frames: number): void {
    if (this.#audible) this.#catchUp.owe(frames)
  }

  /** Fills the 20 ms that are sent now; returns the saying that they belong to, if any. */
  fill(into: Int16Array): Saying | undefined {
    const frame = this.#tail ?? (this.#paused ? undefined : this.#next())
    if (frame) into.set(frame.samples)
    else into.fill(0)
    if (this.#tail) glide(into, 1, 0)
    else if (frame && this.#resumed) glide(into, 0, 1)
    if (frame) this.#resumed = false
    this.#audible = frame !== undefined && !this.#tail
    this.#tail = undefined
    if (this.#ambience) mixInto(into, this.#ambience(this.#frameNumber).samples)
    this.#frameNumber++
    return frame ? this.#begun : undefined
  }

  #fade(saying: Saying | undefined): void {
    if (this.#audible && saying === this.#begun) this.#tail ??= saying?.take()
  }

  #next(): Frame | undefined {
    const saying = this.#queue[0]
    if (!saying) return undefined
    if (saying !== this.#begun) this.#catchUp.forget()
    const frame = this.#catchUp.take(saying)
    if (frame) this.#tell(saying)
    if (saying.isDrained) {
      this.#queue.shift()
      this.#events.onDrained(saying)
      // A saying that drained without a frame must not cost a silent frame.
      if (!frame) return this.#next()
    }
    return frame
  }

  #tell(saying: Saying): void {
    if (saying !== this.#begun) {
      this.#begun = saying
      this.#pieces = 0
      this.#events.onBegan(saying)
    }
    if (saying.piecesBegun === this.#pieces) return
    this.#pieces = saying.piecesBegun
    this.#events.onPiece(saying)
  }
}

/** Squared, so that even a loud voice is almost silent at the edge. */
function glide(samples: Int16Array, fromGain: number, toGain: number): void {
  applyRamp(samples, fromGain, toGain)
  applyRamp(samples, fromGain, toGain)
}
