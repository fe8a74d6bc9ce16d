// Detects clicks: discontinuities that no voice has.
//
// A jump inside audio, such as 20 missing ms: its second difference exceeds everything around it. A voice has sharp
// bends too, but a hundred times a second. And a cut: a wave that drops into digital silence, or starts out of it.

// The first pulse of a voice after a stop, as in "do", has twice the bends around it, and the last one before, as in "Friday",
// 2.6 times at 8 kHz, where the few samples of a closing glottis are one.
const timesUsual = 3
const leastBend = 4_000
// Two periods of a low voice.
const aroundMs = 16
// The burst of a stop, as in "like to go", is as sharp as a jump, but comes out of the closure of the lips or the tongue: what
// is before it is below a third of it.
const burstMs = 2
const closureShare = 1 / 3

// The mean magnitude next to the silence. A voice that ends naturally, or is faded out, has less than 150 there; one
// that is cut off has 700 and more.
const leastCut = 400
const besideMs = 2
// Longer than any wave stays at zero.
const deadMs = 3

/** In ms from the beginning, in order. */
export function clicksMs(samples: Int16Array, rateHz: number): number[] {
  return [...leaps(samples, rateHz), ...cuts(samples, rateHz)]
    .map((place) => (place * 1000) / rateHz)
    .sort((one, other) => one - other)
    .filter((atMs, nth, all) => nth === 0 || atMs - (all[nth - 1] ?? 0) >= deadMs)
}

function leaps(samples: Int16Array, rateHz: number): number[] {
  const bends = Int32Array.from(samples, (sample, i) =>
    i < 2 ? 0 : Math.abs(sample - 2 * (samples[i - 1] ?? 0) + (samples[i - 2] ?? 0)),
  )
  const around = Math.round((rateHz / 1000) * aroundMs)
  const found: number[] = []
  for (let i = around; i < samples.length - around; i++) {
    const here = bends[i] ?? 0
    if (here < leastBend) continue
    // Bends next to a jump belong to it.
    const usual = Math.max(most(bends, i - around, i - 3), most(bends, i + 4, i + around))
    const dead = usual === 0
    const isNew = i - (found.at(-1) ?? -around) >= around
    if (!dead && here > timesUsual * usual && isNew && !isBurst(samples, i, rateHz)) found.push(i)
  }
  return found
}

function isBurst(samples: Int16Array, at: number, rateHz: number): boolean {
  const lasting = (ms: number) => Math.round((rateHz / 1000) * ms)
  const from = at - lasting(burstMs)
  const closure = most(samples, at - lasting(aroundMs), from)
  return closure < closureShare * most(samples, from, at + lasting(burstMs))
}

/** In magnitude. */
function most(values: Int32Array | Int16Array, from: number, to: number): number {
  let greatest = 0
  for (let i = from; i <= to; i++) greatest = Math.max(greatest, Math.abs(values[i] ?? 0))
  return greatest
}

function cuts(samples: Int16Array, rateHz: number): number[] {
  const dead = Math.round((rateHz / 1000) * deadMs)
  const beside = Math.round((rateHz / 1000) * besideMs)
  const loud = (from: number) => {
    let sum = 0
    for (let i = from; i < from + beside; i++) sum += Math.abs(samples[i] ?? 0)
    return sum / beside >= leastCut
  }
  const found: number[] = []
  let still = dead
  for (let i = 0; i < samples.length; i++) {
    if (samples[i] !== 0) {
      if (still >= dead && loud(i)) found.push(i)
      still = 0
      continue
    }
    still++
    const end = i - dead + 1
    if (still === dead && loud(end - beside)) found.push(end)
  }
  return found
}
