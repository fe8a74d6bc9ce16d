// A seamless loop of audio: whatever extends past its end continues at its beginning.

export const rateHz = 16_000
export const seconds = 10
const length = rateHz * seconds

type Filter = (sample: number) => number

export class Loop {
  readonly samples = new Float64Array(length)

  add(sound: ArrayLike<number>, atSecond: number, gain: number): void {
    const first = Math.round(atSecond * rateHz)
    for (let i = 0; i < sound.length; i++) {
      const place = (first + i) % length
      this.samples[place] = (this.samples[place] ?? 0) + gain * (sound[i] ?? 0)
    }
  }

  mix(other: Loop, gain: number): void {
    this.add(other.samples, 0, gain)
  }

  /** Two passes: in the second one the filter's state includes the end of the loop. */
  through(filter: Filter): this {
    for (let i = 0; i < length; i++) filter(this.samples[i] ?? 0)
    for (let i = 0; i < length; i++) this.samples[i] = filter(this.samples[i] ?? 0)
    return this
  }

  /** Changes the gain over time. It must return to its initial value. */
  shape(gainAt: (second: number) => number): this {
    for (let i = 0; i < length; i++) this.samples[i] = (this.samples[i] ?? 0) * gainAt(i / rateHz)
    return this
  }

  get rms(): number {
    return Math.sqrt(this.samples.reduce((sum, sample) => sum + sample * sample, 0) / length)
  }

  /** Normalises to RMS 1, so that the parts of a track can be weighted against each other. */
  atOne(): this {
    const { rms } = this
    for (let i = 0; i < length; i++) this.samples[i] = (this.samples[i] ?? 0) / rms
    return this
  }
}

/** One-pole low-pass. */
export function lowPass(hz: number): Filter {
  const share = 1 - Math.exp((-2 * Math.PI * hz) / rateHz)
  let held = 0
  return (sample) => {
    held += share * (sample - held)
    return held
  }
}

/** One-pole high-pass. */
export function highPass(hz: number): Filter {
  const low = lowPass(hz)
  return (sample) => sample - low(sample)
}

export const chain =
  (...filters: readonly Filter[]): Filter =>
  (sample) =>
    filters.reduce((heard, filter) => filter(heard), sample)

/** Reverb (Schroeder): four parallel feedback combs, then two all-passes. */
export function room(decaySeconds: number, wet: number): Filter {
  const combs = [0.0297, 0.0371, 0.0411, 0.0437].map((delay) =>
    comb(delay, 10 ** ((-3 * delay) / decaySeconds)),
  )
  const diffuse = chain(allPass(0.005), allPass(0.0017))
  return (sample) => {
    const reflected = combs.reduce((sum, filter) => sum + filter(sample), 0) / combs.length
    return (1 - wet) * sample + wet * diffuse(reflected)
  }
}

function comb(delaySeconds: number, feedback: number): Filter {
  const past = new Float64Array(Math.round(delaySeconds * rateHz))
  let at = 0
  return (sample) => {
    const heard = past[at] ?? 0
    past[at] = sample + feedback * heard
    at = (at + 1) % past.length
    return heard
  }
}

function allPass(delaySeconds: number): Filter {
  const past = new Float64Array(Math.round(delaySeconds * rateHz))
  const share = 0.7
  let at = 0
  return (sample) => {
    const heard = past[at] ?? 0
    const kept = sample + share * heard
    past[at] = kept
    at = (at + 1) % past.length
    return heard - share * kept
  }
}
