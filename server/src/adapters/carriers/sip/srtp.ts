// Encrypted RTP with keys from SDP (RFC 3711, RFC 4568): AES in counter mode with 128 bits, HMAC-SHA1 with 80.
import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { longAt, wordAt, writeLong } from '../../../media/rtp.ts'

export interface SrtpPair {
  protect(packet: Uint8Array): Uint8Array
  /** null: not from the far end, changed on the way, or a repetition. */
  unprotect(packet: Uint8Array): Uint8Array | null
  protectRtcp(packet: Uint8Array): Uint8Array
  unprotectRtcp(packet: Uint8Array): Uint8Array | null
}

const keyBytes = 16
const saltBytes = 14
const tagBytes = 10
const rtcpHeaderBytes = 8
const encryptedFlag = 0x80000000
/** How many indexes below the highest are remembered against repetitions. */
const window = 128

interface SessionKeys {
  readonly cipher: Buffer
  readonly auth: Buffer
  readonly salt: Buffer
}

/** §4.3.1; labels 0 to 2 for RTP, 3 to 5 for RTCP. */
function deriveKeys(master: Buffer, firstLabel: 0 | 3): SessionKeys {
  const derive = (label: number, bytes: number) => {
    const block = Buffer.alloc(16)
    master.copy(block, 0, keyBytes, keyBytes + saltBytes)
    block[7] = (block[7] as number) ^ label
    return createCipheriv('aes-128-ctr', master.subarray(0, keyBytes), block).update(Buffer.alloc(bytes))
  }
  return {
    cipher: derive(firstLabel, keyBytes),
    auth: derive(firstLabel + 1, 20),
    salt: derive(firstLabel + 2, saltBytes),
  }
}

/** §4.1.1: salt, source and index of the packet make the counter. The index has 48 bits. */
function crypt(keys: SessionKeys, source: number, index: number, bytes: Uint8Array): Buffer {
  const counter = Buffer.alloc(16)
  keys.salt.copy(counter)
  const at = (place: number, value: number) =>
    counter.writeUInt32BE((counter.readUInt32BE(place) ^ value) >>> 0, place)
  at(4, source)
  at(8, Math.floor(index / 0x10000) >>> 0)
  counter.writeUInt16BE(counter.readUInt16BE(12) ^ (index & 0xffff), 12)
  return createCipheriv('aes-128-ctr', keys.cipher, counter).update(bytes)
}

function tagOf(keys: SessionKeys, packet: Uint8Array, trailer: number): Buffer {
  const last = new Uint8Array(4)
  writeLong(last, 0, trailer)
  return createHmac('sha1', keys.auth).update(packet).update(last).digest().subarray(0, tagBytes)
}

/** Header bytes of an RTP packet that stay readable: fixed part, sources, extension. */
function clearBytes(packet: Uint8Array): number {
  const first = packet[0] as number
  const fixed = 12 + (first & 0x0f) * 4
  return first & 0x10 && packet.length >= fixed + 4 ? fixed + 4 + wordAt(packet, fixed + 2) * 4 : fixed
}

/** The packets of one source: how often its 16-bit numbers have wrapped, and which were seen. */
class Rollover {
  #highest = -1
  readonly #seen = new Float64Array(window).fill(-1)

  /** §3.3.1: the index nearest to the highest so far. */
  guess(sequence: number): number {
    if (this.#highest < 0) return sequence
    const ahead = ((sequence - (this.#highest & 0xffff)) << 16) >> 16
    return Math.max(sequence, this.#highest + ahead)
  }

  isRepeated(index: number): boolean {
    return index <= this.#highest - window || this.#seen[index % window] === index
  }

  take(index: number): void {
    this.#seen[index % window] = index
    this.#highest = Math.max(this.#highest, index)
  }
}

const rolloverOf = (index: number): number => Math.floor(index / 0x10000) >>> 0

/** Keys are base64 of key and salt: ours for what we send, theirs for what we get. */
export function openSrtp({ ours, theirs }: { readonly ours: string; readonly theirs: string }): SrtpPair {
  const [out, into] = [ours, theirs].map((key) => Buffer.from(key, 'base64')) as [Buffer, Buffer]
  if (out.length !== keyBytes + saltBytes || into.length !== keyBytes + saltBytes)
    throw new RangeError('A key of SRTP has 30 bytes.')
  const send = { rtp: deriveKeys(out, 0), rtcp: deriveKeys(out, 3), rollover: new Rollover(), rtcpIndex: 0 }
  const receive = { rtp: deriveKeys(into, 0), rtcp: deriveKeys(into, 3), rtcpRollover: new Rollover() }
  let source = -1
  let rollover = new Rollover()

  return {
    protect(packet) {
      const index = send.rollover.guess(wordAt(packet, 2))
      send.rollover.take(index)
      const clear = clearBytes(packet)
      const bytes = Buffer.alloc(packet.length + tagBytes)
      bytes.set(packet.subarray(0, clear))
      bytes.set(crypt(send.rtp, longAt(packet, 8), index, packet.subarray(clear)), clear)
      bytes.set(tagOf(send.rtp, bytes.subarray(0, packet.length), rolloverOf(index)), packet.length)
      return bytes
    },
    unprotect(packet) {
      const end = packet.length - tagBytes
      if (end < 12 || clearBytes(packet) > end) return null
      // A new source begins anew; it takes the place of the old one only when its tag is right.
      const from = longAt(packet, 8)
      const state = from === source ? rollover : new Rollover()
      const index = state.guess(wordAt(packet, 2))
      if (state.isRepeated(index)) return null
      const body = packet.subarray(0, end)
      if (!timingSafeEqual(tagOf(receive.rtp, body, rolloverOf(index)), packet.subarray(end))) return null
      state.take(index)
      source = from
      rollover = state
      const clear = clearBytes(packet)
      const plain = Buffer.alloc(end)
      plain.set(packet.subarray(0, clear))
      plain.set(crypt(receive.rtp, from, index, packet.subarray(clear, end)), clear)
      return plain
    },
    protectRtcp(packet) {
      const index = ++send.rtcpIndex
      const bytes = Buffer.alloc(packet.length + 4 + tagBytes)
      bytes.set(packet.subarray(0, rtcpHeaderBytes))
      const body = crypt(send.rtcp, longAt(packet, 4), index, packet.subarray(rtcpHeaderBytes))
      bytes.set(body, rtcpHeaderBytes)
      const trailer = (encryptedFlag | index) >>> 0
      writeLong(bytes, packet.length, trailer)
      bytes.set(tagOf(send.rtcp, bytes.subarray(0, packet.length), trailer), packet.length + 4)
      return bytes
    },
    unprotectRtcp(packet) {
      const end = packet.length - tagBytes - 4
      if (end < rtcpHeaderBytes) return null
      const trailer = longAt(packet, end)
      const index = trailer & ~encryptedFlag
      const body = packet.subarray(0, end)
      if (!timingSafeEqual(tagOf(receive.rtcp, body, trailer), packet.subarray(end + 4))) return null
      if (receive.rtcpRollover.isRepeated(index)) return null
      receive.rtcpRollover.take(index)
      if (!(trailer & encryptedFlag)) return body
      const plain = Buffer.alloc(end)
      plain.set(packet.subarray(0, rtcpHeaderBytes))
      plain.set(crypt(receive.rtcp, longAt(packet, 4), index, body.subarray(rtcpHeaderBytes)), rtcpHeaderBytes)
      return plain
    },
  }
}
