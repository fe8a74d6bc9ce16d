// A ring of samples indexed by stream position. Each is taken once, and nothing older than the head is accepted.

export class SampleStore {
  readonly #samples: Int16Array
  readonly #present: Uint8Array
  #head: number
  #end: number

  constructor(capacity: number, head: number) {
    this.#samples = new Int16Array(capacity)
    this.#present = new Uint8Array(capacity)
    this.#head = head
    this.#end = head
  }

  /** The next position to take. */
  get head(): number {
    return this.#head
  }

  /** One past the newest filled position. */
  get end(): number {
    return this.#end
  }

  /** These samples are known to exist and come later; when the ring is full, the oldest are dropped. */
  expect(place: number, length: number): void {
    const capacity = this.#samples.length
    if (place + length > this.#head + capacity) this.skipTo(place + length - capacity)
    this.#end = Math.max(this.#end, place + length)
  }

  /** Returns how many were new. */
  put(place: number, samples: Int16Array): number {
    const capacity = this.#samples.length
    this.expect(place, samples.length)
    let fresh = 0
    for (let i = Math.max(0, this.#head - place); i < samples.length; i++) {
      const at = (place + i) % capacity
      if (this.#present[at] === 1) continue
      this.#present[at] = 1
      this.#samples[at] = samples[i] as number
      fresh++
    }
    return fresh
  }

  has(place: number): boolean {
    return place >= this.#head && place < this.#end && this.#present[place % this.#present.length] === 1
  }

  /** Only valid where `has` is true. */
  at(place: number): number {
    return this.#samples[place % this.#samples.length] as number
  }

  /** Drops everything before `place`; returns how many samples that were. */
  skipTo(place: number): number {
    let dropped = 0
    const capacity = this.#present.length
    const last = Math.min(place, this.#head + capacity)
    for (let at = this.#head; at < last; at++) {
      dropped += this.#present[at % capacity] as number
      this.#present[at % capacity] = 0
    }
    this.#head = Math.max(this.#head, place)
    this.#end = Math.max(this.#end, this.#head)
    return dropped
  }

  /** Only before anything was taken: the first packet to arrive was not the first sent. */
  rewindTo(place: number): void {
    this.#head = Math.min(this.#head, place)
  }
}
