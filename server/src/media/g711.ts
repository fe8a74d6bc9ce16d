// ITU-T G.711: one byte per sample, µ-law (North America, Japan) and A-law (everywhere else).
//
//   bit   7      6 5 4     3 2 1 0
//         sign   segment   step        µ-law sends all bits inverted, A-law every other one (0x55)
//
// Segment s holds 16 steps of width 2^s (µ), or two segments of the first width, doubling from there on (A). G.711
// defines 14-bit (µ) and 13-bit (A) values; here they are left-aligned in 16 bits.

export type Law = 'mu' | 'a'

/** Decodes to (nearly) zero; sent as silence. */
export const silenceByte = { mu: 0xff, a: 0xd5 } as const satisfies Record<Law, number>

// 33 in G.711's 14-bit units: makes every µ-law segment begin at a power of two.
const muBias = 33 << 2
// The largest magnitude whose biased value fits the last segment.
const muClip = 0x7fff - muBias

/** A tie at a decision value rounds outwards on both sides, which keeps µ-law symmetric. */
export function encodeMuSample(sample: number): number {
  const size = sample < 0 ? -sample : sample
  // biome-ignore lint/complexity/useMathMinMax: a call for each sample, which is not always inlined
  const magnitude = (size > muClip ? muClip : size) + muBias
  const segment = 24 - Math.clz32(magnitude)
  const step = (magnitude >> (segment + 3)) & 0x0f
  return ~((sample < 0 ? 0x80 : 0) | (segment << 4) | step) & 0xff
}

export function decodeMuSample(byte: number): number {
  const code = ~byte & 0xff
  const segment = (code >> 4) & 0x07
  const magnitude = ((((code & 0x0f) << 3) + muBias) << segment) - muBias
  return code & 0x80 ? -magnitude : magnitude
}

/** A-law has no zero: 0 … 15 become +8, and -1 … -16 become -8. */
export function encodeASample(sample: number): number {
  const magnitude = (sample < 0 ? ~sample : sample) >> 4
  const segment = Math.max(0, 28 - Math.clz32(magnitude))
  const step = (segment < 2 ? magnitude : magnitude >> (segment - 1)) & 0x0f
  return ((sample < 0 ? 0 : 0x80) | (segment << 4) | step) ^ 0x55
}

export function decodeASample(byte: number): number {
  const code = byte ^ 0x55
  const segment = (code >> 4) & 0x07
  // + 8: the middle of the step.
  const inner = ((code & 0x0f) << 4) + 8
  const magnitude = segment === 0 ? inner : (inner + 0x100) << (segment - 1)
  return code & 0x80 ? magnitude : -magnitude
}

const decoded = {
  mu: Int16Array.from({ length: 256 }, (_, byte) => decodeMuSample(byte)),
  a: Int16Array.from({ length: 256 }, (_, byte) => decodeASample(byte)),
} satisfies Record<Law, Int16Array>

/** Fills `bytes` from `at` on with `count` samples. */
export function encodeG711(
  law: Law,
  samples: Int16Array,
  bytes: Uint8Array,
  at = 0,
  count = bytes.length - at,
): void {
  if (law === 'mu') for (let i = 0; i < count; i++) bytes[at + i] = encodeMuSample(samples[i] as number)
  else for (let i = 0; i < count; i++) bytes[at + i] = encodeASample(samples[i] as number)
}

/** Decodes `bytes` from `start` to `end` into the beginning of `samples`. */
export function decodeG711(
  law: Law,
  bytes: Uint8Array,
  samples: Int16Array,
  start = 0,
  end = bytes.length,
): void {
  const table = decoded[law]
  for (let i = start; i < end; i++) samples[i - start] = table[bytes[i] as number] as number
}
