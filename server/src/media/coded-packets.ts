// Packets that wait until they are due: a codec with a memory must decode them in the order of the stream.
import type { SampleStore } from './sample-store.ts'

export interface PacketDecoder {
  /** The number of samples that the payload holds; 0: it holds none. */
  samplesIn(payload: Uint8Array, start: number, end: number): number
  /** Decodes the next packet, into a buffer that the next call reuses; no samples if the payload is broken. */
  decode(payload: Uint8Array, start: number, end: number): Int16Array
  /** Decodes the packet before this one, which was lost, from what this one repeats of it. */
  recover?(payload: Uint8Array, start: number, end: number, samples: number): Int16Array
  /** Makes samples in place of lost ones that no packet repeats. */
  conceal?(samples: number): Int16Array
}

// The jitter buffer remembers as many sequence numbers.
const slots = 128
// No packet is longer on the way: this is Ethernet without the headers of IP, UDP and RTP.
const longestPayload = 1_460
// A longer gap is silence or a new beginning; a decoder's guess has faded by then.
const longestFillMs = 120

interface WaitingPacket {
  /** Extended sequence number; -1: the slot is free. */
  number: number
  place: number
  samples: number
  bytes: number
  payload: Uint8Array
}

export class CodedPackets {
  readonly #decoder: PacketDecoder
  readonly #longestFill: number
  readonly #waiting: WaitingPacket[] = []
  #next = 0
  /** The number of the packet that was decoded last, and where its sound ended. */
  #lastNumber = -1
  #lastEnd = 0

  constructor(decoder: PacketDecoder, samplesPerMs: number) {
    this.#decoder = decoder
    this.#longestFill = longestFillMs * samplesPerMs
  }

  /** Copies the payload. */
  put(number: number, place: number, samples: number, payload: Uint8Array, start: number, end: number): void {
    // The packet comes too late: decoding it now would upset what follows.
    if (end - start > longestPayload || number <= this.#lastNumber) return
    const slot = this.#slot(number)
    slot.number = number
    slot.place = place
    slot.samples = samples
    slot.bytes = end - start
    for (let i = 0; i < slot.bytes; i++) slot.payload[i] = payload[start + i] as number
    if (this.#lastNumber < 0 && (this.#next === 0 || number < this.#next)) this.#next = number
  }

  /** Decodes the packets that begin before `place`; `newest` is the highest number so far. */
  decodeUntil(place: number, newest: number, into: SampleStore): void {
    for (let number = Math.max(this.#next, newest - slots + 1); number <= newest; number++) {
      const slot = this.#waiting[number % slots]
      if (slot?.number !== number) continue
      // If the packet before it is due and lost, this one is decoded early, because it repeats that one.
      if (slot.place >= place && !(this.#lastEnd < place && this.#wasLostBefore(slot))) return
      this.#decode(slot, into)
      this.#next = number + 1
    }
  }

  /** Forgets all packets: another stream follows. */
  clear(): void {
    for (const slot of this.#waiting) if (slot) slot.number = -1
    this.#next = 0
    this.#lastNumber = -1
  }

  /** Slots are made when they are first used: most lines never need all of them. */
  #slot(number: number): WaitingPacket {
    const at = number % slots
    this.#waiting[at] ??= {
      number: -1,
      place: 0,
      samples: 0,
      bytes: 0,
      payload: new Uint8Array(longestPayload),
    }
    return this.#waiting[at]
  }

  #decode(slot: WaitingPacket, into: SampleStore): void {
    if (this.#wasLostBefore(slot)) this.#fill(slot, slot.place - this.#lastEnd, into)
    into.put(slot.place, this.#decoder.decode(slot.payload, 0, slot.bytes))
    this.#lastNumber = slot.number
    this.#lastEnd = slot.place + slot.samples
    slot.number = -1
  }

  #wasLostBefore({ number, place }: WaitingPacket): boolean {
    const gap = place - this.#lastEnd
    return this.#lastNumber >= 0 && number - this.#lastNumber > 1 && gap > 0 && gap <= this.#longestFill
  }

  /** The packet just before is recovered, anything earlier is concealed. */
  #fill(slot: WaitingPacket, gap: number, into: SampleStore): void {
    const recovered = this.#decoder.recover ? Math.min(gap, slot.samples) : 0
    if (gap > recovered && this.#decoder.conceal)
      into.put(this.#lastEnd, this.#decoder.conceal(gap - recovered))
    if (recovered > 0 && this.#decoder.recover)
      into.put(slot.place - recovered, this.#decoder.recover(slot.payload, 0, slot.bytes, recovered))
  }
}
