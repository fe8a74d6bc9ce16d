// The codecs of telephone lines: names and numbers in SDP, and what turns frames into payloads and back.
import { decodeG711, encodeG711, type Law } from '../../../media/g711.ts'
import { G722Decoder, G722Encoder } from '../../../media/g722.ts'
import type { RateHz } from '../../../media/frame.ts'
import type { PayloadFormat } from './sdp.ts'

export const codecNames = ['PCMU', 'PCMA', 'G722', 'opus'] as const
export type CodecName = (typeof codecNames)[number]

/** One direction each; both keep state between packets. */
export interface Coder {
  /** The rate of the samples that go in and come out. */
  readonly rateHz: RateHz
  /** Clock of the timestamps: G.722 counts half of its samples. */
  readonly clockHz: number
  /** Writes into `payload` from `at` on; returns how many bytes. */
  encode(samples: Int16Array, payload: Uint8Array, at: number): number
  /** Returns the samples in a buffer that is reused by the next call. */
  decode(payload: Uint8Array): Int16Array
}

export interface CodecDescription {
  readonly rateHz: RateHz
  /** What we write into an offer. */
  readonly format: PayloadFormat
  open(): Coder
}

/** Longer than any packet: 200 ms at 16 kHz. */
const longestPacket = 3_200

function g711(law: Law): Coder {
  const decoded = new Int16Array(longestPacket)
  return {
    rateHz: 8_000,
    clockHz: 8_000,
    encode(samples, payload, at) {
      encodeG711(law, samples, payload.subarray(at, at + samples.length))
      return samples.length
    },
    decode(payload) {
      const samples = decoded.subarray(0, Math.min(payload.length, longestPacket))
      decodeG711(law, payload.subarray(0, samples.length), samples)
      return samples
    },
  }
}

function g722(): Coder {
  const encoder = new G722Encoder()
  const decoder = new G722Decoder()
  const decoded = new Int16Array(longestPacket)
  return {
    rateHz: 16_000,
    clockHz: 8_000,
    encode(samples, payload, at) {
      const bytes = samples.length / 2
      encoder.encode(samples, payload.subarray(at, at + bytes))
      return bytes
    },
    decode(payload) {
      const samples = decoded.subarray(0, Math.min(payload.length * 2, longestPacket))
      decoder.decode(payload.subarray(0, samples.length / 2), samples)
      return samples
    },
  }
}

const format = (payloadType: number, name: string, clockHz = 8_000, channels = 1, parameters: string | null = null) => ({
  payloadType,
  name,
  clockHz,
  channels,
  parameters,
})

export const codecs: Readonly<Partial<Record<CodecName, CodecDescription>>> = {
  PCMU: { rateHz: 8_000, format: format(0, 'PCMU'), open: () => g711('mu') },
  PCMA: { rateHz: 8_000, format: format(8, 'PCMA'), open: () => g711('a') },
  G722: { rateHz: 16_000, format: format(9, 'G722'), open: g722 },
}

/** The usual number of the keys' events. The far end's own number is used when it offers. */
export const telephoneEvent: PayloadFormat = format(101, 'TELEPHONE-EVENT', 8_000, 1, '0-15')
