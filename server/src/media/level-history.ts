// The levels of the last five seconds, frame by frame; the newest frame has age 0.
import { levelDb } from './level.ts'

const ringFrames = 256

export class LevelHistory {
  readonly #ring = new Float64Array(ringFrames)
  readonly #sorted = new Float64Array(ringFrames)
  readonly #floorDb: number
  #count = 0

  /** Levels below the floor count as the floor. */
  constructor(floorDb: number) {
    this.#floorDb = floorDb
  }

  push(samples: Int16Array): void {
    this.#ring[this.#count++ % ringFrames] = Math.max(this.#floorDb, levelDb(samples))
  }

  /** Frames pushed since the start. */
  get count(): number {
    return this.#count
  }

  /** Frames remembered. */
  get length(): number {
    return Math.min(this.#count, ringFrames)
  }

  at(age: number): number {
    const index = this.#count - 1 - Math.max(0, age)
    return index < 0 ? this.#floorDb : (this.#ring[index % ringFrames] as number)
  }

  /** As many as fit, newest first. */
  copyNewest(into: Float64Array): void {
    for (let age = 0; age < into.length; age++) into[age] = this.at(age)
  }

  /** Over the newest `frames`. */
  loudest(frames: number): number {
    let loudest = this.#floorDb
    for (let age = 0; age < frames; age++) loudest = Math.max(loudest, this.at(age))
    return loudest
  }

  /** How many of the newest `frames` are louder than `db`. */
  above(db: number, frames: number): number {
    let louder = 0
    for (let age = 0; age < frames; age++) if (this.at(age) > db) louder++
    return louder
  }

  /** First quartile: between words, that is the noise of the line. */
  quarterDb(): number {
    const sorted = this.#sorted.subarray(0, this.length)
    sorted.set(this.#ring.subarray(0, this.length))
    return sorted.sort()[this.length >> 2] ?? this.#floorDb
  }
}
