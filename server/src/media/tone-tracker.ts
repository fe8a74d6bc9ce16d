// Follows pure tones in a sound, frame by frame: their pitch, their length, and their end.
//
// The pitch of a frame comes from its autocorrelation at one and two samples, which white noise does not move
// (Pisarenko); the share of the frame's energy at that pitch says how pure it is. Two tones at once, such as ring-back
// and DTMF, beat within a frame: their energy is not even over its parts.
import { frameMs, type RateHz } from './frame.ts'

// The lowest pitch of exchanges and answering machines; below it are hum and voices.
const lowestHz = 380
const highestHz = 2_100
// -40 dBFS: anything softer is line noise.
const leastPower = 328 ** 2
// A tone that is 10 dB above the noise around it has this share. A struck note has more energy in its overtones.
const leastShare = 0.88
// The quietest eighth of a frame over the loudest. A single tone at 400 Hz has 0.8, ring-back less than 0.1.
const leastEvenness = 0.3
const parts = 8
// Pitch tolerance: what noise does to the estimate. Vibrato and voices vary more.
const sameNoteHz = 24
// A tone has ended when it is this much softer for so long; a plucked note only fades.
const quieterBy = 8
const quietMs = 100
const spoiltMs = 40
// The ratio of the loudest frame to the softest: tones are switched on and off, notes are struck and decay.
const steadyWithin = 3

// Slots of the figures of a frame; returning fractions would allocate.
const pitch = 0
const power = 1

export class ToneTracker {
  readonly #rateHz: RateHz
  readonly #found = new Float64Array(2)
  readonly #energies = new Float64Array(parts)
  /** The tone under way: its pitch, its length in whole frames, its loudest and its softest frame. */
  #hz = 0
  #ms = 0
  #loudest = 0
  #softest = 0
  #goneMs = 0
  /** The last tone that ended in silence or in another tone. */
  #endedHz = 0
  #endedMs = 0
  #isSteady = false
  #isFollowed = false

  constructor(rateHz: RateHz) {
    this.#rateHz = rateHz
  }

  /** Whether a tone is being heard. */
  get isSounding(): boolean {
    return this.#ms > 0
  }

  /** The pitch of the last tone, in Hz. */
  get endedHz(): number {
    return this.#endedHz
  }

  /** The length of the last tone in whole frames: up to two frames less than it lasted. */
  get endedMs(): number {
    return this.#endedMs
  }

  /** Whether the last tone kept its level. */
  get isSteady(): boolean {
    return this.#isSteady
  }

  /** Whether another sound followed the last tone at once, instead of silence. */
  get isFollowed(): boolean {
    return this.#isFollowed
  }

  /** True on the frame in which it is certain that a tone has ended. */
  hears(samples: Int16Array): boolean {
    const hz = this.#pitchOf(samples)
    const level = this.#found[power] as number
    if (this.#ms === 0) {
      if (hz > 0) this.#begin(hz, level)
      return false
    }
    // A frame or two spoilt by noise do not divide a tone.
    if (hz > 0 && Math.abs(hz - this.#hz) < sameNoteHz && this.#goneMs <= spoiltMs) {
      this.#ms += frameMs + this.#goneMs
      this.#goneMs = 0
      this.#loudest = Math.max(this.#loudest, level)
      this.#softest = Math.min(this.#softest, level)
      return false
    }
    return this.#gone(hz, level)
  }

  #begin(hz: number, level: number): void {
    this.#hz = hz
    this.#ms = frameMs
    this.#loudest = level
    this.#softest = level
    this.#goneMs = 0
  }

  #gone(hz: number, level: number): boolean {
    this.#goneMs += frameMs
    // The last frame of a tone is partial: loud and impure. More than that is another sound.
    const isSound = level * quieterBy > this.#loudest && this.#goneMs > spoiltMs
    if (!isSound && this.#goneMs < quietMs) return false
    this.#endedHz = this.#hz
    this.#endedMs = this.#ms
    this.#isSteady = this.#loudest <= this.#softest * steadyWithin
    this.#isFollowed = isSound
    this.#ms = 0
    this.#goneMs = 0
    if (hz > 0) this.#begin(hz, level)
    return true
  }

  /** The pitch of the frame; 0: no pure tone. Leaves the frame's power in `#found`. */
  #pitchOf(samples: Int16Array): number {
    const found = this.#found
    found[power] = 0
    let whole = 0
    let one = 0
    let two = 0
    for (let n = 2; n < samples.length; n++) {
      const here = samples[n] as number
      whole += here * here
      one += here * (samples[n - 1] as number)
      two += here * (samples[n - 2] as number)
    }
    const count = samples.length - 2
    found[power] = whole / count
    if (whole < leastPower * count || one <= 0) return 0
    const cosine = (two + Math.sqrt(two * two + 8 * one * one)) / (4 * one)
    if (cosine >= 1) return 0
    found[pitch] = (Math.acos(cosine) / (2 * Math.PI)) * this.#rateHz
    const hz = found[pitch] as number
    if (hz < lowestHz || hz > highestHz || !this.#isEven(samples)) return 0
    return shareAt(samples, cosine) >= leastShare ? hz : 0
  }

  #isEven(samples: Int16Array): boolean {
    const energies = this.#energies.fill(0)
    const size = samples.length / parts
    for (let n = 0; n < samples.length; n++) {
      const part = Math.floor(n / size)
      energies[part] = (energies[part] as number) + (samples[n] as number) ** 2
    }
    let least = energies[0] as number
    let most = least
    for (let part = 1; part < parts; part++) {
      least = Math.min(least, energies[part] as number)
      most = Math.max(most, energies[part] as number)
    }
    return least >= leastEvenness * most
  }
}

/** The share of the energy at one frequency (Goertzel). */
function shareAt(samples: Int16Array, cosine: number): number {
  const turn = 2 * cosine
  let last = 0
  let beforeLast = 0
  let energy = 0
  for (let n = 0; n < samples.length; n++) {
    const here = samples[n] as number
    energy += here * here
    const next = here + turn * last - beforeLast
    beforeLast = last
    last = next
  }
  const found = last * last + beforeLast * beforeLast - turn * last * beforeLast
  return (2 * found) / samples.length / energy
}
