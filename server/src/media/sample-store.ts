// A ring of samples indexed by stream position. Each is taken once, and nothing older than the head is accepted.

export class SampleStore {
  readonly #samples: Int16Array
  readonly #present: Uint8Array
  #head: number
  #end: number
  /** The position up to which nothing is missing from the head on. */
  #wholeTo: number

  constructor(capacity: number, head: number) {
    this.#samples = new Int16Array(capacity)
    this.#present = new Uint8Array(capacity)
    this.#head = head
    this.#end = head
    this.#wholeTo = head
  }

  /** The next position to take. */
  get head(): number {
    return this.#head
  }

  /** One past the newest filled position. */
  get end(): number {
    return this.#end
  }

  /** Notes that these samples exist and come later; when the ring is full, the oldest are dropped. */
  expect(place: number, length: number): void {
    const capacity = this.#samples.length
    if (place + length > this.#head + capacity) this.skipTo(place + length - capacity)
    this.#end = Math.max(this.#end, place + length)
  }

  /** Puts samples in; returns how many were new. */
  put(place: number, samples: Int16Array): number {
    const capacity = this.#samples.length
    const isBeyond = place >= this.#end
    this.expect(place, samples.length)
    // Nearly always the samples follow what is there.
    if (isBeyond && place >= this.#head) return this.#append(place, samples)
    let fresh = 0
    const first = Math.max(0, this.#head - place)
    let at = (place + first) % capacity
    for (let i = first; i < samples.length; i++) {
      if (this.#present[at] === 0) {
        this.#present[at] = 1
        this.#samples[at] = samples[i] as number
        fresh++
      }
      if (++at === capacity) at = 0
    }
    this.#measureWhole()
    return fresh
  }

  has(place: number): boolean {
    return place >= this.#head && place < this.#end && this.#present[place % this.#present.length] === 1
  }

  /** The sample at a position; only valid where `has` is true. */
  at(place: number): number {
    return this.#samples[place % this.#samples.length] as number
  }

  /** Takes a whole frame; false if a sample of it is missing, and then nothing is taken. */
  takeAll(frame: Int16Array): boolean {
    const capacity = this.#present.length
    if (this.#head + frame.length > this.#wholeTo) return false
    const first = this.#head % capacity
    for (let i = 0, at = first; i < frame.length; i++) {
      frame[i] = this.#samples[at] as number
      if (++at === capacity) at = 0
    }
    this.#mark(first, frame.length, 0)
    this.#head += frame.length
    return true
  }

  /** Drops everything before `place`; returns how many samples that were. */
  skipTo(place: number): number {
    let dropped = 0
    const capacity = this.#present.length
    const count = Math.min(place - this.#head, capacity)
    for (let i = 0, at = this.#head % capacity; i < count; i++) {
      dropped += this.#present[at] as number
      this.#present[at] = 0
      if (++at === capacity) at = 0
    }
    this.#head = Math.max(this.#head, place)
    this.#end = Math.max(this.#end, this.#head)
    this.#measureWhole()
    return dropped
  }

  /** Moves the head back before anything was taken, because the first packet to arrive was not the first sent. */
  rewindTo(place: number): void {
    if (place >= this.#head) return
    this.#head = place
    this.#wholeTo = place
    this.#measureWhole()
  }

  #append(place: number, samples: Int16Array): number {
    const capacity = this.#samples.length
    const first = place % capacity
    for (let i = 0, at = first; i < samples.length; i++) {
      this.#samples[at] = samples[i] as number
      if (++at === capacity) at = 0
    }
    this.#mark(first, samples.length, 1)
    if (place === this.#wholeTo) this.#wholeTo = place + samples.length
    return samples.length
  }

  #mark(first: number, count: number, present: 0 | 1): void {
    const capacity = this.#present.length
    this.#present.fill(present, first, Math.min(capacity, first + count))
    if (first + count > capacity) this.#present.fill(present, 0, first + count - capacity)
  }

  /** Continues from where the samples were known to be whole, so that each sample is looked at once. */
  #measureWhole(): void {
    this.#wholeTo = Math.max(this.#wholeTo, this.#head)
    const capacity = this.#present.length
    let at = this.#wholeTo % capacity
    while (this.#wholeTo < this.#end && this.#present[at] === 1) {
      this.#wholeTo++
      if (++at === capacity) at = 0
    }
  }
}
