// The mean opinion score of a line, estimated by the E-model (ITU-T G.107) from what a receiver knows: loss and delay.

export interface LineImpairment {
  /** The share of packets that were not played, lost or too late. */
  readonly lossShare: number
  /** The delay one way, from mouth to ear. */
  readonly delayMs: number
  readonly codec: QualityOfCodec
}

/** Impairment without loss, and how well the codec bears loss (ITU-T G.113, appendix I). */
export interface QualityOfCodec {
  readonly impairment: number
  readonly robustness: number
}

// The rating R with all parameters of G.107 at their defaults.
const bestRating = 93.2

/**
 * The score from 1 (bad) to 4.5 (best). G.107 with its defaults, random loss (BurstR 1), and the delay impairment of
 * an echo-free line in its linear form: 0.024 for each ms, and 0.11 for each beyond 177.3 ms.
 */
export function opinionScore({ lossShare, delayMs, codec }: LineImpairment): number {
  const delayImpairment = 0.024 * delayMs + (delayMs > 177.3 ? 0.11 * (delayMs - 177.3) : 0)
  const percent = lossShare * 100
  const lossImpairment = codec.impairment + ((95 - codec.impairment) * percent) / (percent + codec.robustness)
  const r = Math.min(100, Math.max(0, bestRating - delayImpairment - lossImpairment))
  const score = 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6
  return Math.round(Math.max(1, Math.min(4.5, score)) * 100) / 100
}
