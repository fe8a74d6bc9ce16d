// The filters of the resampler: designed once per pair of rates, shared by all streams.
import type { RateHz } from './frame.ts'

export interface Filter {
  /** Upsampling by `up`, then downsampling by `down`: 16 to 24 kHz is 3 and 2. */
  readonly up: number
  readonly down: number
  /** Samples of history needed before the current frame. */
  readonly pastSamples: number
  /** Index of the centre tap for the first output, counted from the oldest sample. */
  readonly middle: number
  /** Upsampling: taps per phase, oldest sample first. */
  readonly phases: readonly Float64Array[]
  /** Upsampling: phase 0 has only its centre tap, so input samples pass unchanged. */
  readonly passes: boolean
  /** Downsampling only: the non-zero taps on one side of the centre and their distance from it. */
  readonly offsets: Int32Array
  readonly weights: Float64Array
  readonly centre: number
}

// Half length of the filter in samples of the lower rate. 20 gives a transition band from 0.85 to 1.15 of Nyquist.
export const reachSamples = 20
// Kaiser window for 88 dB of stop-band attenuation: below 14-bit noise, with some margin.
const kaiserBeta = 8.7

const filters = new Map<string, Filter>()

export function filterFor(fromHz: RateHz, toHz: RateHz): Filter {
  const key = `${fromHz}>${toHz}`
  const found = filters.get(key) ?? design(fromHz, toHz)
  filters.set(key, found)
  return found
}

function design(fromHz: number, toHz: number): Filter {
  const common = gcd(fromHz, toHz)
  const up = toHz / common
  const down = fromHz / common
  const band = Math.max(up, down)
  const reach = reachSamples * band
  const taps = lowPass(band, reach, up)
  return up === 1 ? downwards(down, reach, taps) : upwards(up, down, reach, taps)
}

function downwards(down: number, reach: number, taps: Float64Array): Filter {
  const distances = Array.from({ length: reach }, (_, i) => i + 1).filter((distance) => distance % down !== 0)
  return {
    up: 1,
    down,
    pastSamples: 2 * reach,
    middle: reach,
    phases: [],
    passes: false,
    offsets: Int32Array.from(distances),
    weights: Float64Array.from(distances, (distance) => taps[reach + distance] ?? 0),
    centre: taps[reach] ?? 0,
  }
}

function upwards(up: number, down: number, reach: number, taps: Float64Array): Filter {
  // Phase p holds taps p, p + up, p + 2 up …, each one sample further back.
  const length = Math.ceil((2 * reach + 1) / up)
  const phases = Array.from({ length: up }, (_, phase) =>
    Float64Array.from({ length }, (_, k) => taps[phase + (length - 1 - k) * up] ?? 0),
  )
  const middle = length - 1 - reach / up
  return {
    up,
    down,
    pastSamples: length - 1,
    middle,
    phases,
    passes: up > down,
    offsets: new Int32Array(),
    weights: new Float64Array(),
    centre: 0,
  }
}

/** Kaiser-windowed sinc with 2 × reach + 1 taps and unity gain at DC. */
function lowPass(band: number, reach: number, gain: number): Float64Array {
  const taps = Float64Array.from({ length: 2 * reach + 1 }, (_, i) => {
    const distance = i - reach
    if (distance === 0) return 1 / band
    if (distance % band === 0) return 0
    const angle = (Math.PI * distance) / band
    const edge = distance / (reach + 1)
    return (
      (Math.sin(angle) / angle / band) *
      (bessel(kaiserBeta * Math.sqrt(1 - edge * edge)) / bessel(kaiserBeta))
    )
  })
  return taps.map((tap) => tap * gain)
}

/** The modified Bessel function I0, by its series. */
function bessel(x: number): number {
  let term = 1
  let sum = 1
  for (let k = 1; term > sum * 1e-16; k++) {
    term *= (x / 2 / k) ** 2
    sum += term
  }
  return sum
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
