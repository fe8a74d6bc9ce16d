// Runs ours and the yardstick alternately, so that other load affects both.

export interface Sample {
  readonly ours: number
  readonly yardstick: number
}

/** The order alternates: neither side always inherits the other's dirty pages. */
export async function alternate(
  rounds: number,
  ours: () => Promise<number>,
  yardstick: () => Promise<number>,
): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) samples.push({ ours: await ours(), yardstick: await yardstick() })
    else {
      const second = await yardstick()
      samples.push({ ours: await ours(), yardstick: second })
    }
  }
  return samples
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** The median, with the least and the most in brackets. */
export const spread = (numbers: readonly number[], show: (value: number) => string): string =>
  `${show(median(numbers))} (${show(Math.min(...numbers))}–${show(Math.max(...numbers))})`

/** `share` between 0 and 1: 0.95 is the 95th percentile. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = Float64Array.from(numbers).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
