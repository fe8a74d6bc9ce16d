// A mel filter bank: overlapping triangular bands over the bins of a spectrum.

export interface MelBand {
  readonly firstBin: number
  readonly weights: Float64Array
}

export interface MelBankShape {
  readonly bands: number
  readonly lowHz: number
  readonly highHz: number
  readonly rateHz: number
  readonly size: number
  readonly scale: MelScale
}

export interface MelScale {
  toMel(hz: number): number
  toHz(mel: number): number
  /** The height on the flank between two frequencies. */
  rise(hz: number, fromHz: number, toHz: number): number
  /** Gain of a band. */
  height(lowHz: number, highHz: number): number
}

const kaldiMel = (hz: number) => 1127 * Math.log(1 + hz / 700)

/** Kaldi's scale: flanks linear in mel, all bands of equal height. */
export const kaldiScale: MelScale = {
  toMel: kaldiMel,
  toHz: (mel) => 700 * (Math.exp(mel / 1127) - 1),
  rise: (hz, fromHz, toHz) => (kaldiMel(hz) - kaldiMel(fromHz)) / (kaldiMel(toHz) - kaldiMel(fromHz)),
  height: () => 1,
}

// The scale is linear up to 1 kHz, then has 27 steps per factor of 6.4.
const straightHz = 200 / 3
const bendMel = 1000 / straightHz
const stepPerMel = Math.log(6.4) / 27

/** Slaney's scale, used to train whisper: flanks linear in Hz, all bands of equal area. */
export const slaneyScale: MelScale = {
  toMel: (hz) => (hz < 1000 ? hz / straightHz : bendMel + Math.log(hz / 1000) / stepPerMel),
  toHz: (mel) => (mel < bendMel ? mel * straightHz : 1000 * Math.exp((mel - bendMel) * stepPerMel)),
  rise: (hz, fromHz, toHz) => (hz - fromHz) / (toHz - fromHz),
  height: (lowHz, highHz) => 2 / (highHz - lowHz),
}

export function melBank({ bands, lowHz, highHz, rateHz, size, scale }: MelBankShape): MelBand[] {
  const [low, high] = [scale.toMel(lowHz), scale.toMel(highHz)]
  const edges = Array.from({ length: bands + 2 }, (_, i) =>
    scale.toHz(low + ((high - low) * i) / (bands + 1)),
  )
  return Array.from({ length: bands }, (_, band) => {
    const [left = 0, middle = 0, right = 0] = edges.slice(band, band + 3)
    const weights = Array.from({ length: size / 2 + 1 }, (_, bin) => {
      const hz = (bin * rateHz) / size
      if (hz <= left || hz >= right) return 0
      const flank = hz <= middle ? scale.rise(hz, left, middle) : scale.rise(hz, right, middle)
      return flank * scale.height(left, right)
    })
    const firstBin = weights.findIndex((weight) => weight > 0)
    const lastBin = weights.findLastIndex((weight) => weight > 0)
    return { firstBin, weights: Float64Array.from(weights.slice(firstBin, lastBin + 1)) }
  })
}

export function bandPower({ firstBin, weights }: MelBand, powers: Float64Array): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += (weights[i] as number) * (powers[firstBin + i] as number)
  return sum
}
