// The level of a stream in dB of full scale.
//
// 0 dB is a full-scale square wave, -3 dB a full-scale sine. Speech on a telephone is around -25 dB.

// The smallest non-zero sample is at -90 dB; this stands for silence and is still a finite number.
export const silenceDb = -100

export class LevelMeter {
  #squares = 0
  #count = 0
  #peak = 0

  add(samples: Int16Array): void {
    let squares = 0
    let peak = this.#peak
    for (let i = 0; i < samples.length; i++) {
      const sample = samples[i] as number
      squares += sample * sample
      const magnitude = sample < 0 ? -sample : sample
      if (magnitude > peak) peak = magnitude
    }
    this.#squares += squares
    this.#count += samples.length
    this.#peak = peak
  }

  /** The level of all samples since the last reset. */
  get rmsDb(): number {
    return this.#count === 0 ? silenceDb : powerDb(this.#squares / this.#count)
  }

  get peakDb(): number {
    return powerDb(this.#peak * this.#peak)
  }

  reset(): void {
    this.#squares = 0
    this.#count = 0
    this.#peak = 0
  }
}

export function levelDb(samples: Int16Array): number {
  let squares = 0
  for (let i = 0; i < samples.length; i++) squares += (samples[i] as number) * (samples[i] as number)
  return samples.length === 0 ? silenceDb : powerDb(squares / samples.length)
}

const powerDb = (power: number): number =>
  power === 0 ? silenceDb : 10 * Math.log10(power / (32_768 * 32_768))

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

  /** The number of frames pushed since the start. */
  get count(): number {
    return this.#count
  }

  /** The number of frames that are remembered. */
  get length(): number {
    return Math.min(this.#count, ringFrames)
  }

  at(age: number): number {
    const index = this.#count - 1 - Math.max(0, age)
    return index < 0 ? this.#floorDb : (this.#ring[index % ringFrames] as number)
  }

  /** Copies as many levels as fit, newest first. */
  copyNewest(into: Float64Array): void {
    for (let age = 0; age < into.length; age++) into[age] = this.at(age)
  }

  /** The loudest level of the newest `frames`. */
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

  /** The first quartile of the levels: between words, this is the noise of the line. */
  quarterDb(): number {
    const sorted = this.#sorted.subarray(0, this.length)
    sorted.set(this.#ring.subarray(0, this.length))
    return sorted.sort()[this.length >> 2] ?? this.#floorDb
  }
}
