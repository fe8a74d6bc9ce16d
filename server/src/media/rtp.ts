// RTP packets (RFC 3550 §5.1), read and written in place.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   |V=2|P|X|  CC   |M|     PT      |       sequence number         |
//   |                           timestamp                           |
//   |                            source (SSRC)                      |

export const rtpHeaderBytes = 12

/** The fields of a header; a receiver has one object, which is filled again for every packet. */
export interface RtpHeader {
  payloadType: number
  marker: boolean
  sequence: number
  timestamp: number
  source: number
  /** Where the payload begins and ends, without extensions and padding. */
  start: number
  end: number
}

export const makeRtpHeader = (): RtpHeader => ({
  payloadType: 0,
  marker: false,
  sequence: 0,
  timestamp: 0,
  source: 0,
  start: 0,
  end: 0,
})

/** Reads a header; false if the bytes are not RTP. */
export function readRtp(bytes: Uint8Array, into: RtpHeader): boolean {
  if (bytes.length < rtpHeaderBytes || byteAt(bytes, 0) >> 6 !== 2) return false
  const first = byteAt(bytes, 0)
  const second = byteAt(bytes, 1)
  let start = rtpHeaderBytes + (first & 0x0f) * 4
  if (first & 0x10) {
    if (bytes.length < start + 4) return false
    start += 4 + wordAt(bytes, start + 2) * 4
  }
  let end = bytes.length
  if (first & 0x20) {
    const padding = byteAt(bytes, end - 1)
    if (padding === 0) return false
    end -= padding
  }
  if (start > end) return false
  into.payloadType = second & 0x7f
  into.marker = (second & 0x80) !== 0
  into.sequence = wordAt(bytes, 2)
  into.timestamp = longAt(bytes, 4)
  into.source = longAt(bytes, 8)
  into.start = start
  into.end = end
  return true
}

/** Writes the header of a packet without sources, extension or padding. */
export function writeRtp(
  bytes: Uint8Array,
  payloadType: number,
  marker: boolean,
  sequence: number,
  timestamp: number,
  source: number,
): void {
  bytes[0] = 0x80
  bytes[1] = (marker ? 0x80 : 0) | payloadType
  writeWord(bytes, 2, sequence)
  writeLong(bytes, 4, timestamp)
  writeLong(bytes, 8, source)
}

/**
 * Whether a packet is RTCP, which shares the port where rtcp-mux was agreed: its types are where RTP has 72 to 76 with
 * a marker (RFC 5761 §4).
 */
export const isRtcp = (bytes: Uint8Array): boolean =>
  bytes.length >= 8 && byteAt(bytes, 0) >> 6 === 2 && byteAt(bytes, 1) >= 192 && byteAt(bytes, 1) <= 223

export const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] as number

export const wordAt = (bytes: Uint8Array, at: number): number =>
  (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1)

export const longAt = (bytes: Uint8Array, at: number): number =>
  ((wordAt(bytes, at) << 16) | wordAt(bytes, at + 2)) >>> 0

export function writeWord(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >> 8
  bytes[at + 1] = value
}

export function writeLong(bytes: Uint8Array, at: number, value: number): void {
  writeWord(bytes, at, value >>> 16)
  writeWord(bytes, at + 2, value)
}
