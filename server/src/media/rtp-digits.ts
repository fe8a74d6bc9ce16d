// Telephone keys as RTP events (RFC 4733), both ways.
//
//    0                   1                   2                   3
//   |     event     |E|R| volume    |          duration             |
import { isKeys } from './dtmf.ts'
import { byteAt, wordAt, writeWord } from './rtp.ts'

/** Event numbers: 0-9, *, #, A-D. */
const byEvent = '0123456789*#ABCD'
export const eventBytes = 4

// A packet so far behind the newest was sent before the sender restarted, not overtaken.
const maxMisorder = 100
// The duration has 16 bits: longer presses go on in a segment with a later timestamp (§2.5.1.3).
const longestDuration = 0xffff

/** Reports every press once, whichever of its packets arrive. */
export class DigitReceiver {
  readonly #onDigit: (digit: string) => void
  #event = -1
  /** The timestamp of the press, which all its packets share. */
  #pressedAt = 0
  #duration = 0
  #isEnded = true
  #sequence = -1

  constructor(onDigit: (digit: string) => void) {
    this.#onDigit = onDigit
  }

  /** Markers and end bits get lost: the first packet of a press is enough. */
  receive(payload: Uint8Array, start: number, end: number, sequence: number, timestamp: number): void {
    if (end - start < eventBytes) return
    const event = byteAt(payload, start)
    const digit = byEvent[event]
    if (digit === undefined) return
    const behind = ((this.#sequence - sequence) << 16) >> 16
    // The packet was overtaken by one of the same press, or of a later one.
    if (this.#sequence >= 0 && behind >= 0 && behind < maxMisorder) return
    this.#sequence = sequence
    const duration = wordAt(payload, start + 2)
    const isNew = !this.#goesOn(event, timestamp, duration)
    this.#event = event
    this.#pressedAt = timestamp
    this.#duration = duration
    this.#isEnded = (byteAt(payload, start + 1) & 0x80) !== 0
    if (isNew) this.#onDigit(digit)
  }

  /** Begins another source. */
  restart(): void {
    this.#event = -1
    this.#sequence = -1
  }

  /** Whether this is the same press: the same timestamp, the next segment's, or one that its sender moves on. */
  #goesOn(event: number, timestamp: number, duration: number): boolean {
    if (event !== this.#event) return false
    if (timestamp === this.#pressedAt) return true
    if (this.#isEnded) return false
    const later = (timestamp - this.#pressedAt) >>> 0
    // A new press comes later than the old one lasted; a timestamp that is moved on has moved by as much as was added.
    return (
      later <= duration - this.#duration ||
      (later === longestDuration && this.#duration > longestDuration / 2)
    )
  }
}

/** As long as the sandbox's and our own tones, which is easy for every receiver (Q.24 asks for 40 ms). */
const toneFrames = 5
const pauseFrames = 5
/** The last packet is sent three times, because it says how long the key was pressed. */
const endRepeats = 3

export interface DigitPacket {
  readonly event: number
  /** How long the key has been pressed, in frames: all packets of a press have its first timestamp. */
  readonly frames: number
  readonly isFirst: boolean
  readonly isEnd: boolean
}

/** Sends keys, one step every 20 ms. */
export class DigitSender {
  #keys = ''
  #step = 0
  #done: (() => void)[] = []

  get isSending(): boolean {
    return this.#keys !== ''
  }

  /** Sends keys; resolves when the last one has been sent. */
  send(digits: string): Promise<void> {
    if (digits === '' || !isKeys(digits))
      throw new RangeError('Only 0-9, *, # and A-D can be sent as digits.')
    this.#keys += digits
    return new Promise((resolve) => {
      this.#done.push(resolve)
    })
  }

  /** The packets of this frame; none between keys. */
  next(): DigitPacket[] {
    const event = byEvent.indexOf(this.#keys.charAt(0))
    const step = this.#step++
    if (step < toneFrames) return [{ event, frames: step + 1, isFirst: step === 0, isEnd: false }]
    if (step === toneFrames)
      return Array.from({ length: endRepeats }, () => ({ event, frames: step, isFirst: false, isEnd: true }))
    if (step >= toneFrames + pauseFrames) this.#nextKey()
    return []
  }

  cancel(): void {
    this.#keys = ''
    this.#step = 0
    for (const done of this.#done.splice(0)) done()
  }

  #nextKey(): void {
    this.#keys = this.#keys.slice(1)
    this.#step = 0
    if (this.#keys === '') for (const done of this.#done.splice(0)) done()
  }
}

export function writeEvent(
  bytes: Uint8Array,
  at: number,
  packet: DigitPacket,
  samplesPerFrame: number,
): void {
  bytes[at] = packet.event
  // −10 dBm0: what handsets send.
  bytes[at + 1] = (packet.isEnd ? 0x80 : 0) | 10
  writeWord(bytes, at + 2, Math.min(longestDuration, packet.frames * samplesPerFrame))
}

/** The key in a SIP INFO: `Signal=5\r\nDuration=160` (application/dtmf-relay) or `5` (application/dtmf). */
export function digitOfInfo(contentType: string, body: string): string | null {
  if (!/^application\/dtmf(?:-relay)?\b/.test(contentType)) return null
  const signal = (/^[ \t]*Signal[ \t]*=[ \t]*(\S+)/im.exec(body)?.[1] ?? body.trim()).toUpperCase()
  if (signal === '10') return '*'
  if (signal === '11') return '#'
  return signal.length === 1 && byEvent.includes(signal) ? signal : null
}
