// Telephone keys as RTP events (RFC 4733), both ways.
//
//    0                   1                   2                   3
//   |     event     |E|R| volume    |          duration             |
import { keys } from './dtmf.ts'
import { byteAt, writeWord } from './rtp.ts'

/** Event numbers: 0-9, *, #, A-D. */
const byEvent = '0123456789*#ABCD'
export const eventBytes = 4

/** Gives every press once, whichever of its packets arrive. */
export class DigitReceiver {
  readonly #onDigit: (digit: string) => void
  /** The timestamp names the press: all its packets have the same. */
  #pressedAt = -1
  #event = -1

  constructor(onDigit: (digit: string) => void) {
    this.#onDigit = onDigit
  }

  /** Markers and end bits get lost: the first packet of a press is enough. */
  receive(payload: Uint8Array, start: number, end: number, timestamp: number): void {
    if (end - start < eventBytes) return
    const event = byteAt(payload, start)
    const digit = byEvent[event]
    if (digit === undefined || (timestamp === this.#pressedAt && event === this.#event)) return
    // A packet that comes after a later press was overtaken.
    if (this.#pressedAt >= 0 && ((timestamp - this.#pressedAt) | 0) < 0) return
    this.#pressedAt = timestamp
    this.#event = event
    this.#onDigit(digit)
  }

  /** The sender's clock has jumped. */
  restart(): void {
    this.#pressedAt = -1
  }
}

/** As long as the sandbox's and our own tones: easy for every receiver (Q.24 asks for 40 ms). */
const toneFrames = 5
const pauseFrames = 5
/** The last packet is sent three times, because it says how long the key was pressed. */
const endRepeats = 3

export interface DigitPacket {
  readonly event: number
  /** Frames since the press began: all packets of a press have its first timestamp. */
  readonly frame: number
  readonly isFirst: boolean
  readonly isEnd: boolean
}

/** One step every 20 ms while keys are sent. */
export class DigitSender {
  #keys = ''
  #step = 0
  #done: (() => void)[] = []

  get isSending(): boolean {
    return this.#keys !== ''
  }

  /** Resolves when the last one has been sent. */
  send(digits: string): Promise<void> {
    if (digits === '' || ![...digits].every((digit) => keys.includes(digit)))
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
    if (step < toneFrames) return [{ event, frame: step, isFirst: step === 0, isEnd: false }]
    if (step === toneFrames)
      return Array.from({ length: endRepeats }, () => ({ event, frame: step, isFirst: false, isEnd: true }))
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

export function writeEvent(bytes: Uint8Array, at: number, packet: DigitPacket, samplesPerFrame: number): void {
  bytes[at] = packet.event
  // −10 dBm0: what handsets send.
  bytes[at + 1] = (packet.isEnd ? 0x80 : 0) | 10
  writeWord(bytes, at + 2, Math.min(0xffff, Math.max(1, packet.frame) * samplesPerFrame))
}

/** `Signal=5\r\nDuration=160` (application/dtmf-relay) or `5` (application/dtmf): keys in SIP INFO. */
export function digitOfInfo(contentType: string, body: string): string | null {
  if (!/^application\/dtmf(?:-relay)?\b/.test(contentType)) return null
  const signal = (/^\s*Signal\s*=\s*(\S+)/im.exec(body)?.[1] ?? body.trim()).toUpperCase()
  if (signal === '10') return '*'
  if (signal === '11') return '#'
  return signal.length === 1 && byEvent.includes(signal) ? signal : null
}
