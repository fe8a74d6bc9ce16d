// Detects DTMF keys in audio (Goertzel filters, ITU-T Q.24 limits), without triggering on speech.
import { columnsHz, dtmfKeys, rowsHz } from './dtmf.ts'
import type { RateHz } from './frame.ts'

// 102 samples at 8 kHz: resolves rows 73 Hz apart, and three blocks fit into the shortest valid tone (40 ms).
const blockSeconds = 102 / 8_000
// -42 dBFS: anything below is echo or line noise.
const minPower = 260 ** 2
// Q.24 twist: the column may be up to 4 dB louder than the row, or 8 dB softer.
const columnOverRow = 10 ** 0.4
const rowOverColumn = 10 ** 0.8
// The next strongest tone of the same group must be this much weaker (6 dB); in speech several are similar.
const overOthers = 10 ** 0.6
// Share of the block's energy in the two tones; a pair detuned by 1.5 % still leaves this much in the filters.
const minShare = 0.72
// Voices have harmonics, keys less than a tenth at twice the column. (Twice the row is near a column.)
const maxOvertone = 0.1
// The tone must fill the whole block: its halves match except for the beat of the two tones (0.72).
const minEvenness = 0.62
// One block may be a false hit, and one block without the tone a drop-out, which is no second press.
const blocksToBegin = 2
const blocksToEnd = 2

// Slots in #found after the rows and columns.
const early = 8
const late = 9
const overtone = 10

export class DtmfDetector {
  readonly #onKey: (key: string) => void
  readonly #block: Float64Array
  // Goertzel coefficients of each row, each column, and twice each column.
  readonly #turns: Float64Array
  // Energy of each row and column, then the three slots above.
  readonly #found = new Float64Array(11)
  #filled = 0
  #candidate = -1
  #candidateBlocks = 0
  #pressed = -1
  #missingBlocks = 0

  /** `onKey` is called once per key press, about 30 ms after it began. */
  constructor(rateHz: RateHz, onKey: (key: string) => void) {
    this.#onKey = onKey
    this.#block = new Float64Array(Math.round(rateHz * blockSeconds))
    const overtonesHz = columnsHz.map((hz) => 2 * hz)
    this.#turns = Float64Array.from([...rowsHz, ...columnsHz, ...overtonesHz], (hz) => turn(hz, rateHz))
  }

  /** Whether a tone is, or may be, sounding. */
  get isHearing(): boolean {
    return this.#pressed >= 0 || this.#candidate >= 0
  }

  push(samples: Int16Array): void {
    for (let i = 0; i < samples.length; i++) {
      this.#block[this.#filled++] = samples[i] as number
      if (this.#filled < this.#block.length) continue
      this.#filled = 0
      this.#judge(this.#hear())
    }
  }

  /** A key counts after two consecutive blocks, once until it is released. */
  #judge(key: number): void {
    this.#candidateBlocks = key === this.#candidate ? this.#candidateBlocks + 1 : 1
    this.#candidate = key
    this.#missingBlocks = key === this.#pressed ? 0 : this.#missingBlocks + 1
    if (this.#missingBlocks >= blocksToEnd) this.#pressed = -1
    if (key < 0 || key === this.#pressed || this.#candidateBlocks < blocksToBegin) return
    this.#pressed = key
    this.#missingBlocks = 0
    this.#onKey(dtmfKeys.charAt(key))
  }

  /** Index of the key in this block, or -1. */
  #hear(): number {
    const found = this.#found
    const size = this.#block.length
    const half = size >> 1
    energyInto(found, early, this.#block, 0, half)
    energyInto(found, late, this.#block, half, size)
    const first = found[early] as number
    const second = found[late] as number
    const energy = first + second
    if (energy < minPower * size) return -1
    if (Math.min(first, second) < minEvenness * Math.max(first, second)) return -1
    const row = this.#loudest(0)
    const column = this.#loudest(4)
    if (row < 0 || column < 0) return -1
    const rowPower = found[row] as number
    const columnPower = found[4 + column] as number
    if (columnPower > rowPower * columnOverRow || rowPower > columnPower * rowOverColumn) return -1
    if (rowPower + columnPower < minShare * energy) return -1
    goertzelInto(found, overtone, this.#block, this.#turns, 8 + column)
    if ((found[overtone] as number) > maxOvertone * columnPower) return -1
    return row * 4 + column
  }

  /** Index of the strongest of the four tones from `from` on if it stands out, or -1. */
  #loudest(from: number): number {
    const found = this.#found
    let best = 0
    for (let i = 0; i < 4; i++) {
      goertzelInto(found, from + i, this.#block, this.#turns, from + i)
      if ((found[from + i] as number) > (found[from + best] as number)) best = i
    }
    const limit = (found[from + best] as number) / overOthers
    for (let i = 0; i < 4; i++) if (i !== best && (found[from + i] as number) > limit) return -1
    return best
  }
}

const turn = (hz: number, rateHz: number) => 2 * Math.cos((2 * Math.PI * hz) / rateHz)

// Both functions below write into an array: returning a fraction may allocate.

function energyInto(into: Float64Array, slot: number, block: Float64Array, from: number, to: number): void {
  let energy = 0
  for (let i = from; i < to; i++) energy += (block[i] as number) * (block[i] as number)
  into[slot] = energy
}

/** The block's energy at one frequency; for a pure tone, all of it. */
function goertzelInto(
  into: Float64Array,
  slot: number,
  block: Float64Array,
  turns: Float64Array,
  which: number,
): void {
  const turn = turns[which] as number
  let last = 0
  let beforeLast = 0
  for (let i = 0; i < block.length; i++) {
    const next = (block[i] as number) + turn * last - beforeLast
    beforeLast = last
    last = next
  }
  into[slot] = (2 * (last * last + beforeLast * beforeLast - turn * last * beforeLast)) / block.length
}
