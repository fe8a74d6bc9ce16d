// The fundamental frequency of a voice, by autocorrelation.

const windowMs = 40
const stepMs = 10
const lowestHz = 60
const highestHz = 400
// The share of a window that repeats after one period; less is a consonant or noise.
const voicedFrom = 0.6

// A voice that fades away has no pitch to speak of.
const quietShare = 0.05

/** In Hz, every 10 ms; unvoiced and quiet stretches are left out. */
export function pitches(samples: Int16Array, rateHz: number): number[] {
  const size = (windowMs * rateHz) / 1000
  const windows: Int16Array[] = []
  for (let at = 0; at + size <= samples.length; at += (stepMs * rateHz) / 1000)
    windows.push(samples.subarray(at, at + size))
  const levels = windows.map((window) =>
    Math.sqrt(window.reduce((sum, sample) => sum + sample ** 2, 0) / size),
  )
  const quiet = quietShare * Math.max(...levels)
  return windows.flatMap((window, place) =>
    (levels[place] ?? 0) > quiet ? (pitchOf(window, rateHz) ?? []) : [],
  )
}

function pitchOf(window: Int16Array, rateHz: number): number | undefined {
  let best = { score: voicedFrom, lag: 0 }
  for (let lag = Math.floor(rateHz / highestHz); lag <= rateHz / lowestHz; lag++) {
    let [both, one, other] = [0, 0, 0]
    for (let i = 0; i + lag < window.length; i++) {
      const [a, b] = [window[i] ?? 0, window[i + lag] ?? 0]
      both += a * b
      one += a * a
      other += b * b
    }
    const score = both / Math.sqrt(one * other || 1)
    // A period also repeats at its multiples: those must be clearly better.
    if (score > best.score + (best.lag > 0 ? 0.05 : 0)) best = { score, lag }
  }
  return best.lag > 0 ? rateHz / best.lag : undefined
}
