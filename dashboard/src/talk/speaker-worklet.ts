// In the browser's audio thread: plays the frames from the socket, with a small buffer against late frames.
import { webSound } from '@parley/contract/web-sound'

// Three frames cover the jitter of a near network. Every gap adds two more, up to a fifth of a second.
const leastBegin = 3 * webSound.frameSamples
const mostBegin = 11 * webSound.frameSamples
const moreBegin = 2 * webSound.frameSamples
// The most that is buffered. More would only add delay, so the oldest frames are dropped.
const mostSamples = 20 * webSound.frameSamples

class Speaker extends AudioWorkletProcessor {
  readonly #ring = new Float32Array(mostSamples)
  #written = 0
  #read = 0
  #begin = leastBegin
  #playing = false

  constructor() {
    super()
    this.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => this.#take(new Int16Array(data))
  }

  process(_inputs: Float32Array[][], [output]: Float32Array[][]): boolean {
    const samples = output?.[0]
    if (!samples) return true
    const waiting = this.#written - this.#read
    if (waiting >= this.#begin) this.#playing = true
    if (waiting < samples.length) this.#stop()
    if (!this.#playing) return true
    for (let i = 0; i < samples.length; i++) samples[i] = this.#ring[this.#read++ % mostSamples] as number
    return true
  }

  /** The buffer ran empty: from now on it is larger. */
  #stop(): void {
    if (this.#playing) this.#begin = Math.min(mostBegin, this.#begin + moreBegin)
    this.#playing = false
  }

  #take(frame: Int16Array): void {
    for (const sample of frame) this.#ring[this.#written++ % mostSamples] = sample / 32_768
    this.#read = Math.max(this.#read, this.#written - mostSamples)
  }
}

registerProcessor('speaker', Speaker)
