// In the browser's audio thread: resamples the microphone to frames of 20 ms at 16 kHz.
import { webSound } from '@parley/contract/web-sound'

const { rateHz, frameSamples } = webSound
// A windowed sinc, looked up at the nearest of this many positions between two samples.
const places = 64
const reach = 16

class Microphone extends AudioWorkletProcessor {
  readonly #step = sampleRate / rateHz
  readonly #taps = makeTaps(this.#step)
  readonly #half = (this.#taps[0]?.length ?? 0) / 2
  readonly #past = new Float32Array(2 * this.#half + 128)
  #at = 0
  #frame = new Int16Array(frameSamples)
  #filled = 0

  process([input]: Float32Array[][]): boolean {
    const samples = input?.[0]
    if (!samples) return true
    const { length } = samples
    this.#past.copyWithin(0, length)
    this.#past.set(samples, this.#past.length - length)
    for (; this.#at < length; this.#at += this.#step) this.#put(this.#sampleAt(this.#at))
    this.#at -= length
    return true
  }

  #sampleAt(at: number): number {
    const whole = Math.floor(at)
    const taps = this.#taps[Math.floor((at - whole) * places)] as Float32Array
    let sum = 0
    for (let k = 0; k < taps.length; k++) sum += (taps[k] as number) * (this.#past[whole + k] as number)
    return sum
  }

  #put(sample: number): void {
    this.#frame[this.#filled++] = Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767)))
    if (this.#filled < frameSamples) return
    this.port.postMessage(this.#frame.buffer, [this.#frame.buffer])
    this.#frame = new Int16Array(frameSamples)
    this.#filled = 0
  }
}

/** The filter, which passes the band that both rates can carry, with equal gain at each position. */
function makeTaps(step: number): Float32Array[] {
  const cutoff = 0.94 / Math.max(1, step)
  const half = Math.ceil(reach * Math.max(1, step))
  return Array.from({ length: places }, (_, place) => {
    const taps = Float32Array.from({ length: 2 * half }, (_, k) => {
      const x = k - half + 1 - (place + 0.5) / places
      const window = Math.cos((Math.PI * x) / (2 * half)) ** 2
      return window * (x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x))
    })
    const sum = taps.reduce((all, tap) => all + tap, 0)
    return taps.map((tap) => tap / sum)
  })
}

registerProcessor('microphone', Microphone)
