// Frames from one thread to another through shared memory: one writes, one reads, neither waits, nothing is allocated.
//
//   cells    written │ read │ bell      32 bits each, the first two only ever increase
//   frames   capacity × 320 samples     20 ms at 16 kHz
import { webSound } from '@parley/contract/web-sound'

const { frameSamples } = webSound
// Half a second. A reader further behind has a bigger problem than missing audio.
const capacity = 25
const cell = { written: 0, read: 1, bell: 2 } as const
const cellBytes = 12

export const makeRing = (): SharedArrayBuffer =>
  new SharedArrayBuffer(cellBytes + capacity * frameSamples * Int16Array.BYTES_PER_ELEMENT)

export class FrameRing {
  readonly #cells: Int32Array
  readonly #frames: readonly Int16Array[]

  constructor(shared: SharedArrayBuffer) {
    this.#cells = new Int32Array(shared, 0, cellBytes / Int32Array.BYTES_PER_ELEMENT)
    this.#frames = Array.from(
      { length: capacity },
      (_, at) => new Int16Array(shared, cellBytes + at * frameSamples * 2, frameSamples),
    )
  }

  /** Copies the samples. False: the ring is full, and the frame is dropped. */
  write(samples: Int16Array): boolean {
    const written = Atomics.load(this.#cells, cell.written)
    if (written - Atomics.load(this.#cells, cell.read) >= capacity) return false
    this.#frames[written % capacity]?.set(samples)
    Atomics.store(this.#cells, cell.written, written + 1)
    return true
  }

  /** Copies the oldest frame into `samples`; false when there is none. */
  read(samples: Int16Array): boolean {
    const read = Atomics.load(this.#cells, cell.read)
    const frame = this.#frames[read % capacity]
    if (read === Atomics.load(this.#cells, cell.written) || !frame) return false
    samples.set(frame)
    Atomics.store(this.#cells, cell.read, read + 1)
    return true
  }

  /** Whether the reader has to be woken, because no wake-up is pending. */
  ring(): boolean {
    return Atomics.exchange(this.#cells, cell.bell, 1) === 0
  }

  /** Called by the reader before it reads: later writes ring again. */
  hush(): void {
    Atomics.store(this.#cells, cell.bell, 0)
  }
}
