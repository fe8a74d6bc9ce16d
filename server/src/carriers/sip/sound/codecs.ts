// The codecs of telephone lines: names and numbers in SDP, rates, and coders.
import type { RateHz } from '../../../media/frame.ts'
import { decodeG711, encodeG711, type Law } from '../../../media/g711.ts'
import { G722Decoder, G722Encoder } from '../../../media/g722.ts'
import type { QualityOfCodec } from '../../../media/opinion-score.ts'
import type { Coder } from './coder.ts'
import { openOpus, opusFormat, opusPtimeMs } from './opus.ts'
import type { PayloadFormat } from './sdp.ts'

export const codecNames = ['PCMU', 'PCMA', 'G722', 'opus'] as const
export type CodecName = (typeof codecNames)[number]

export interface CodecDescription {
  /** The rate of the samples that go in and come out. */
  readonly rateHz: RateHz
  /** The clock of the timestamps: G.722 counts half of its samples, Opus always counts 48,000 a second. */
  readonly clockHz: number
  /** The format that we write into an offer. */
  readonly format: PayloadFormat
  /** Whether packets build on each other, and must be decoded in order. Others are decoded as they arrive. */
  readonly hasMemory: boolean
  readonly quality: QualityOfCodec
  /** The packet length that we send when the far end wants this one. */
  ptimeMs(wantedMs: number): number
  open(): Coder | Promise<Coder>
}

/** The samples of the longest packet: 200 ms at 16 kHz. */
const longestPacket = 3_200

/** Lends the beginning of a buffer; the view is made anew only when the length changes. */
function lender(buffer: Int16Array): (length: number) => Int16Array {
  let view = buffer.subarray(0, 0)
  return (length) => {
    if (view.length !== length) view = buffer.subarray(0, length)
    return view
  }
}

function g711(law: Law): Coder {
  const lend = lender(new Int16Array(longestPacket))
  return {
    encode(samples, payload, at) {
      encodeG711(law, samples, payload, at, samples.length)
      return samples.length
    },
    decoder: {
      samplesIn: (_, start, end) => end - start,
      decode(payload, start, end) {
        const samples = lend(Math.min(end - start, longestPacket))
        decodeG711(law, payload, samples, start, start + samples.length)
        return samples
      },
    },
  }
}

function g722(): Coder {
  const encoder = new G722Encoder()
  const decoder = new G722Decoder()
  const lend = lender(new Int16Array(longestPacket))
  return {
    encode(samples, payload, at) {
      encoder.encode(samples, payload, at, samples.length / 2)
      return samples.length / 2
    },
    decoder: {
      samplesIn: (_, start, end) => 2 * (end - start),
      decode(payload, start, end) {
        const samples = lend(Math.min(2 * (end - start), longestPacket))
        decoder.decode(payload, samples, start, start + samples.length / 2)
        return samples
      },
    },
  }
}

/** Packet lengths in whole tens of milliseconds, as RFC 3551 has them for sample-based codecs. */
const anyPtimeMs = (wantedMs: number): number => Math.min(60, Math.max(10, Math.round(wantedMs / 10) * 10))

const g711Of = (law: Law, format: PayloadFormat): CodecDescription => ({
  rateHz: 8_000,
  clockHz: 8_000,
  format,
  hasMemory: false,
  // The figures of G.711 with concealment.
  quality: { impairment: 0, robustness: 25.1 },
  ptimeMs: anyPtimeMs,
  open: () => g711(law),
})

const format = (
  payloadType: number,
  name: string,
  clockHz = 8_000,
  parameters: string | null = null,
): PayloadFormat => ({
  payloadType,
  name,
  clockHz,
  channels: 1,
  parameters,
})

export const codecs: Readonly<Record<CodecName, CodecDescription>> = {
  PCMU: g711Of('mu', format(0, 'PCMU')),
  PCMA: g711Of('a', format(8, 'PCMA')),
  G722: {
    rateHz: 16_000,
    clockHz: 8_000,
    format: format(9, 'G722'),
    hasMemory: true,
    // G.722 loses nothing on the scale of narrow-band telephony; its concealment is ours, as for G.711.
    quality: { impairment: 0, robustness: 25.1 },
    ptimeMs: anyPtimeMs,
    open: g722,
  },
  opus: {
    rateHz: 16_000,
    clockHz: 48_000,
    format: opusFormat,
    hasMemory: true,
    // ITU-T has no figures for Opus; these are those of G.711 with concealment.
    quality: { impairment: 0, robustness: 25.1 },
    ptimeMs: opusPtimeMs,
    open: openOpus,
  },
}

/** The usual payload type of key events. To an offer of the far end we answer with its own number. */
export const telephoneEvent: PayloadFormat = format(101, 'TELEPHONE-EVENT', 8_000, '0-15')
/** Key events beside Opus: events have the clock of the sound they interrupt (RFC 4733 §2.6). */
export const telephoneEvent48: PayloadFormat = format(110, 'TELEPHONE-EVENT', 48_000, '0-15')

/** The coders of one call, by codec. All are opened before anything is agreed, because an agreement takes effect at once. */
export interface Coders {
  of(codec: CodecName): Coder
  close(): void
}

export async function openCoders(names: readonly CodecName[]): Promise<Coders> {
  const opened = new Map<CodecName, Coder>()
  for (const name of names) opened.set(name, await codecs[name].open())
  return {
    of(codec) {
      const coder = opened.get(codec)
      if (!coder) throw new Error(`${codec} was not offered.`)
      return coder
    },
    close() {
      for (const coder of opened.values()) coder.close?.()
      opened.clear()
    },
  }
}
