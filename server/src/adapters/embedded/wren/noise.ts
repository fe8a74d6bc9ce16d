// Normally distributed noise, the same in every run: what a sentence sounds like does not depend on chance.

// Any number but 0.
const seed = 0x9e3779b9
// Ten seconds at 24 kHz: longer than nearly every sentence.
const firstLength = 240_000

let noise = new Float32Array(0)
let state = seed

/** A view of at least this length; its beginning is the same for every length. Do not write into it. */
export function noiseOf(length: number): Float32Array {
  if (length > noise.length) grow(Math.max(length, 2 * noise.length, firstLength))
  return noise
}

function grow(length: number): void {
  const even = length + (length % 2)
  const longer = new Float32Array(even)
  longer.set(noise)
  for (let i = noise.length; i < even; i += 2) {
    // Box and Muller's method. 1 - uniform() is never 0.
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()))
    const angle = 2 * Math.PI * uniform()
    longer[i] = radius * Math.cos(angle)
    longer[i + 1] = radius * Math.sin(angle)
  }
  noise = longer
}

/** Marsaglia's xorshift: 0 ≤ uniform < 1. */
function uniform(): number {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) / 2 ** 32
}
