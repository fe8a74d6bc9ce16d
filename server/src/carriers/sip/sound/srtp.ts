// Encrypted RTP with keys from SDP (RFC 3711, RFC 4568): AES with 128 bits in counter mode, HMAC-SHA1.
import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { longAt, wordAt, writeLong } from '../../../media/rtp.ts'
import { RecentMap } from '../../../platform/bounded-map.ts'

/** The suites by preference. They differ in the length of the tag that authenticates a packet. */
export const srtpSuites = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const
export type SrtpSuite = (typeof srtpSuites)[number]

/** Keys are base64 of key and salt: ours for what we send, theirs for what we receive. */
export interface SrtpKeys {
  readonly suite: SrtpSuite
  readonly ours: string
  readonly theirs: string
  /** The far end's packets name their key in so many bytes before the tag. */
  readonly theirMkiBytes: number
}

export interface SrtpSender {
  protect(packet: Uint8Array): Uint8Array
  protectRtcp(packet: Uint8Array): Uint8Array
}

/** Results are null for packets that are not from the far end, changed on the way, or repeated. */
export interface SrtpReceiver {
  unprotect(packet: Uint8Array): Uint8Array | null
  unprotectRtcp(packet: Uint8Array): Uint8Array | null
}

const keyBytes = 16
const saltBytes = 14
/** The short tag is for RTP only: reports always have the long one (RFC 4568 §6.2.2). */
const rtpTagBytes = { AES_CM_128_HMAC_SHA1_80: 10, AES_CM_128_HMAC_SHA1_32: 4 } as const satisfies Record<
  SrtpSuite,
  number
>
const rtcpTagBytes = 10
const rtcpHeaderBytes = 8
const encryptedFlag = 0x80000000
/** How many indexes below the highest are remembered, to detect repetitions. */
const window = 128
/** The most sources of a call: one or two, and a few more after transfers. The one that is silent longest is forgotten. */
const mostSources = 8

export const isSrtpKey = (key: string): boolean => Buffer.from(key, 'base64').length === keyBytes + saltBytes

interface SessionKeys {
  readonly cipher: Buffer
  readonly auth: Buffer
  readonly salt: Buffer
}

/** Derives the keys of a session (§4.3.1), with labels 0 to 2 for RTP and 3 to 5 for RTCP. */
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

/** Encrypts or decrypts. Salt, source and the 48-bit index of the packet make the counter (§4.1.1). */
function crypt(keys: SessionKeys, source: number, index: number, bytes: Uint8Array): Buffer {
  const counter = Buffer.alloc(16)
  keys.salt.copy(counter)
  const at = (place: number, value: number) =>
    counter.writeUInt32BE((counter.readUInt32BE(place) ^ value) >>> 0, place)
  at(4, source)
  at(8, rolloverOf(index))
  counter.writeUInt16BE(counter.readUInt16BE(12) ^ (index & 0xffff), 12)
  return createCipheriv('aes-128-ctr', keys.cipher, counter).update(bytes)
}

function tagOf(keys: SessionKeys, packet: Uint8Array, trailer: number, bytes: number): Buffer {
  const last = new Uint8Array(4)
  writeLong(last, 0, trailer)
  return createHmac('sha1', keys.auth).update(packet).update(last).digest().subarray(0, bytes)
}

/** The length of an RTP header, which stays readable: fixed part, sources, extension. */
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

function masterKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length !== keyBytes + saltBytes) throw new RangeError('A key of SRTP has 30 bytes.')
  return key
}

/** Opens a sender, to be used as long as its key: starting over with the same key would repeat the key stream. */
export function openSrtpSender({ suite, ours }: Pick<SrtpKeys, 'suite' | 'ours'>): SrtpSender {
  const master = masterKey(ours)
  const tagBytes = rtpTagBytes[suite]
  const [rtp, rtcp] = [deriveKeys(master, 0), deriveKeys(master, 3)]
  const rollover = new Rollover()
  let rtcpIndex = 0
  return {
    protect(packet) {
      const index = rollover.guess(wordAt(packet, 2))
      rollover.take(index)
      const clear = clearBytes(packet)
      const bytes = Buffer.alloc(packet.length + tagBytes)
      bytes.set(packet.subarray(0, clear))
      bytes.set(crypt(rtp, longAt(packet, 8), index, packet.subarray(clear)), clear)
      bytes.set(tagOf(rtp, bytes.subarray(0, packet.length), rolloverOf(index), tagBytes), packet.length)
      return bytes
    },
    protectRtcp(packet) {
      const index = ++rtcpIndex
      const bytes = Buffer.alloc(packet.length + 4 + rtcpTagBytes)
      bytes.set(packet.subarray(0, rtcpHeaderBytes))
      bytes.set(crypt(rtcp, longAt(packet, 4), index, packet.subarray(rtcpHeaderBytes)), rtcpHeaderBytes)
      const trailer = (encryptedFlag | index) >>> 0
      writeLong(bytes, packet.length, trailer)
      bytes.set(tagOf(rtcp, bytes.subarray(0, packet.length), trailer, rtcpTagBytes), packet.length + 4)
      return bytes
    },
  }
}

export function openSrtpReceiver({
  suite,
  theirs,
  theirMkiBytes: mkiBytes,
}: Omit<SrtpKeys, 'ours'>): SrtpReceiver {
  const master = masterKey(theirs)
  const tagBytes = rtpTagBytes[suite]
  const [rtp, rtcp] = [deriveKeys(master, 0), deriveKeys(master, 3)]
  // A source that comes back continues its state, so that its old packets stay refused. A new one is stored only once
  // its packet has proved true: anybody can claim to be a source.
  const sources = new RecentMap<number, Rollover>(mostSources)
  const rtcpSources = new RecentMap<number, Rollover>(mostSources)
  return {
    unprotect(packet) {
      const end = packet.length - tagBytes - mkiBytes
      if (end < 12 || clearBytes(packet) > end) return null
      const from = longAt(packet, 8)
      const state = sources.get(from) ?? new Rollover()
      const index = state.guess(wordAt(packet, 2))
      if (state.isRepeated(index)) return null
      const tag = tagOf(rtp, packet.subarray(0, end), rolloverOf(index), tagBytes)
      if (!timingSafeEqual(tag, packet.subarray(end + mkiBytes))) return null
      state.take(index)
      sources.set(from, state)
      const clear = clearBytes(packet)
      const plain = Buffer.alloc(end)
      plain.set(packet.subarray(0, clear))
      plain.set(crypt(rtp, from, index, packet.subarray(clear, end)), clear)
      return plain
    },
    unprotectRtcp(packet) {
      const end = packet.length - rtcpTagBytes - mkiBytes - 4
      if (end < rtcpHeaderBytes) return null
      const trailer = longAt(packet, end)
      const index = trailer & ~encryptedFlag
      const from = longAt(packet, 4)
      const state = rtcpSources.get(from) ?? new Rollover()
      const body = packet.subarray(0, end)
      const tag = tagOf(rtcp, body, trailer, rtcpTagBytes)
      if (state.isRepeated(index) || !timingSafeEqual(tag, packet.subarray(end + 4 + mkiBytes))) return null
      state.take(index)
      rtcpSources.set(from, state)
      if (!(trailer & encryptedFlag)) return body
      const plain = Buffer.alloc(end)
      plain.set(packet.subarray(0, rtcpHeaderBytes))
      plain.set(crypt(rtcp, from, index, body.subarray(rtcpHeaderBytes)), rtcpHeaderBytes)
      return plain
    },
  }
}
