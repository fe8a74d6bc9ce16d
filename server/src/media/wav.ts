// Writes WAV: a header for audio still being recorded, and two voices as stereo.
//
//   0 'RIFF' · size of the rest ·  8 'WAVE'
//  12 'fmt ' · 16 · format 1 (PCM), 6 (A-law) or 7 (µ-law) · channels · rate · bytes per second · bytes per sample frame · bits
//  36 'data' · size · 44 samples, little-endian, left and right interleaved
import assert from 'node:assert/strict'

export const wavHeaderBytes = 44
// Readers take this as 'to the end of the file', so a recording whose writer died still plays.
export const unknownSize = 0xffff_ffff

export interface WavShape {
  readonly rateHz: number
  readonly channels: 1 | 2
  /** The encoding; undefined: 16-bit PCM. */
  readonly encoding?: keyof typeof formats | undefined
}

const formats = {
  linear16: { tag: 1, bytes: 2 },
  alaw: { tag: 6, bytes: 1 },
  mulaw: { tag: 7, bytes: 1 },
} as const

/**
 * The header of a recording. It is written first without a size and overwritten with the size when the recording ends,
 * so its length never changes.
 */
export function wavHeader(
  { rateHz, channels, encoding = 'linear16' }: WavShape,
  dataBytes = unknownSize,
): Uint8Array {
  assert(Number.isSafeInteger(dataBytes) && dataBytes >= 0)
  const bytes = new Uint8Array(wavHeaderBytes)
  const view = new DataView(bytes.buffer)
  const { tag, bytes: sampleBytes } = formats[encoding]
  const stepBytes = channels * sampleBytes
  // Above 4 GB (six hours of stereo at 48 kHz) the field is too small.
  const known = Math.min(dataBytes, unknownSize)
  write(bytes, 0, 'RIFF')
  view.setUint32(4, Math.min(known + wavHeaderBytes - 8, unknownSize), true)
  write(bytes, 8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, tag, true)
  view.setUint16(22, channels, true)
  view.setUint32(24, rateHz, true)
  view.setUint32(28, rateHz * stepBytes, true)
  view.setUint16(32, stepBytes, true)
  view.setUint16(34, sampleBytes * 8, true)
  write(bytes, 36, 'data')
  view.setUint32(40, known, true)
  return bytes
}

/** Interleaves the caller on the left and the agent on the right; `stereo` is twice as long as either. */
export function interleave(left: Int16Array, right: Int16Array, stereo: Int16Array): void {
  for (let i = 0; i < left.length; i++) {
    stereo[2 * i] = left[i] as number
    stereo[2 * i + 1] = right[i] as number
  }
}

const write = (bytes: Uint8Array, at: number, text: string) => {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i)
}
