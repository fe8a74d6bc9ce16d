// Parses untrusted WAV: 16-bit, G.711, float and extensible, mono or stereo. No stated size is trusted.
import { decodeG711, type Law } from './g711.ts'
import { unknownSize } from './wav.ts'

export interface Wav {
  readonly rateHz: number
  /** One channel, or left and right. */
  readonly channels: readonly Int16Array[]
}

/** The message may be shown to the sender of the file. */
export class WavError extends Error {
  override readonly name = 'WavError'
}

// No converter samples faster, so a larger number is bogus.
const maxRateHz = 768_000

interface Format {
  readonly code: number
  readonly channels: number
  readonly rateHz: number
  readonly stepBytes: number
  readonly bits: number
}

type ReadSample = (view: DataView, at: number) => number

const pcm16: ReadSample = (view, at) => view.getInt16(at, true)
const float32: ReadSample = (view, at) => fromFloat(view.getFloat32(at, true))
const float64: ReadSample = (view, at) => fromFloat(view.getFloat64(at, true))
const g711 = (law: Law): ReadSample => {
  const samples = new Int16Array(256)
  decodeG711(
    law,
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
    samples,
  )
  return (view, at) => samples[view.getUint8(at)] as number
}

/** Readers by format code and bits per sample, as they stand in the file. */
const readers: Readonly<Record<string, ReadSample>> = {
  '1/16': pcm16,
  '3/32': float32,
  '3/64': float64,
  '6/8': g711('a'),
  '7/8': g711('mu'),
}
const extensible = 0xfffe

export function parseWav(bytes: Uint8Array): Wav {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 12 || word(view, 0) !== 'RIFF' || word(view, 8) !== 'WAVE')
    throw new WavError('This is not a WAV file: it does not begin with RIFF and WAVE.')
  let format: Format | undefined
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true)
    const room = bytes.length - at - 8
    const name = word(view, at)
    if (name === 'data') return readData(view, at + 8, dataSize(size, room), format)
    if (size > room)
      throw new WavError(
        `The WAV file is cut off: its part '${printable(name)}' says ${size} bytes and has ${room}.`,
      )
    if (name === 'fmt ') format = readFormat(view, at + 8, size)
    // Chunks are aligned to even offsets.
    at += 8 + size + (size % 2)
  }
  throw new WavError('The WAV file holds no sound: there is no data part.')
}

function dataSize(size: number, room: number): number {
  if (size === unknownSize) return room
  if (size > room)
    throw new WavError(`The WAV file is cut off: it says ${size} bytes of sound and has ${room}.`)
  return size
}

function readFormat(view: DataView, at: number, size: number): Format {
  if (size < 16) throw new WavError(`The WAV file's format part has ${size} bytes; it needs 16.`)
  const code = view.getUint16(at, true)
  if (code === extensible && size < 26)
    throw new WavError(`The WAV file's extensible format part has ${size} bytes; it needs 40.`)
  return {
    code: code === extensible ? view.getUint16(at + 24, true) : code,
    channels: view.getUint16(at + 2, true),
    rateHz: view.getUint32(at + 4, true),
    stepBytes: view.getUint16(at + 12, true),
    bits: view.getUint16(at + 14, true),
  }
}

function readData(view: DataView, at: number, size: number, format: Format | undefined): Wav {
  if (!format) throw new WavError('The WAV file has sound before it says in which format.')
  const { channels, rateHz, stepBytes, bits, code } = format
  const read = readers[`${code}/${bits}`]
  if (!read)
    throw new WavError(
      `The WAV file has format ${code} with ${bits} bits; 16-bit PCM, 32- or 64-bit float, A-law and µ-law are read.`,
    )
  if (channels !== 1 && channels !== 2)
    throw new WavError(`The WAV file has ${channels} channels; mono and stereo are read.`)
  if (rateHz === 0 || rateHz > maxRateHz) throw new WavError(`The WAV file says ${rateHz} samples a second.`)
  if (stepBytes !== (channels * bits) / 8)
    throw new WavError(
      `The WAV file says ${stepBytes} bytes a step; ${channels} × ${bits} bits make another number.`,
    )
  const count = Math.floor(size / stepBytes)
  return {
    rateHz,
    channels: Array.from({ length: channels }, (_, channel) => {
      const samples = new Int16Array(count)
      const first = at + (channel * bits) / 8
      for (let i = 0; i < count; i++) samples[i] = read(view, first + i * stepBytes)
      return samples
    }),
  }
}

const word = (view: DataView, at: number) =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))

/** Makes a name printable: names from the file go into an error message. */
const printable = (name: string) => name.replace(/[^\x20-\x7e]/g, '?')

/** Converts a float; NaN is silence. */
function fromFloat(value: number): number {
  if (Number.isNaN(value)) return 0
  return Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768)))
}
