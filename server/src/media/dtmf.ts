// DTMF: the frequencies of the keys, and a player.
//
//          1209  1336  1477  1633 Hz
//   697     1     2     3     A
//   770     4     5     6     B
//   852     7     8     9     C
//   941     *     0     #     D
import type { RateHz } from './frame.ts'

export const rowsHz = [697, 770, 852, 941] as const
export const columnsHz = [1209, 1336, 1477, 1633] as const
export const dtmfKeys = '123A456B789C*0#D'

export const isKeys = (text: string): boolean => [...text].every((key) => dtmfKeys.includes(key))

// Twice the shortest tone and pause that a receiver must accept (ITU-T Q.24: 40 ms): about what a person presses.
const toneMs = 100
const pauseMs = 100
// Both tones together stay 5 dB below clipping; the column is 2 dB louder: lines attenuate high frequencies more.
const rowPeak = 8_000
const columnPeak = 10_000
// Edges are long enough not to click, and too short to shorten the tone noticeably.
const edgeMs = 4

/** Plays a sequence of keys, frame by frame. */
export class DtmfPlayer {
  readonly #text: string
  readonly #rateHz: RateHz
  #at = 0

  constructor(text: string, rateHz: RateHz) {
    if (!isKeys(text)) throw new RangeError('only the sixteen keys of a telephone have tones')
    this.#text = text
    this.#rateHz = rateHz
  }

  get done(): boolean {
    return this.#at >= this.#text.length * this.#stepSamples
  }

  /** Writes the next samples; silence once everything has been played. */
  fill(samples: Int16Array): void {
    for (let i = 0; i < samples.length; i++) {
      const place = Math.floor(this.#at / this.#stepSamples)
      samples[i] = place < this.#text.length ? this.#sample(place, this.#at % this.#stepSamples) : 0
      this.#at++
    }
  }

  get #stepSamples(): number {
    return (this.#rateHz / 1000) * (toneMs + pauseMs)
  }

  #sample(place: number, at: number): number {
    const ms = (at * 1000) / this.#rateHz
    if (ms >= toneMs) return 0
    const index = dtmfKeys.indexOf(this.#text.charAt(place))
    const edge = Math.min(1, ms / edgeMs, (toneMs - ms) / edgeMs)
    const angle = (2 * Math.PI * at) / this.#rateHz
    const row = rowPeak * Math.sin(angle * (rowsHz[index >> 2] as number))
    const column = columnPeak * Math.sin(angle * (columnsHz[index & 3] as number))
    return Math.round(edge * (row + column))
  }
}
