// What is on the line besides the callee's voice: noise around the telephone, and the agent's own sound coming back.
import { type Frame, frameMs, makeFrame, type RateHz } from '../../../media/frame.ts'
import { applyGain, gainOf, mixInto } from '../../../media/mix.ts'

/** A sound without end, by the number of its frame. */
export type Noise = (frameNumber: number) => Frame

export interface Surrounding {
  /** Adds its next 20 ms. */
  addTo(samples: Int16Array): void
}

/** The frames are somebody else's, so they are copied before they are made louder. */
export function noiseAround(noise: Noise, gainDb: number, rateHz: RateHz): Surrounding {
  const gain = gainOf(gainDb)
  const { samples: loud } = makeFrame(rateHz)
  let number = 0
  return {
    addTo(samples) {
      loud.set(noise(number++).samples)
      applyGain(loud, gain)
      mixInto(samples, loud)
    },
  }
}

/** What the agent sent comes back later and weaker, in whole frames. */
export class Echo implements Surrounding {
  readonly #ring: readonly Int16Array[]
  readonly #gain: number
  #written = 0
  #read = 0

  constructor(delayMs: number, levelDb: number, rateHz: RateHz) {
    const delayFrames = Math.max(1, Math.round(delayMs / frameMs))
    this.#ring = Array.from({ length: delayFrames + 1 }, () => makeFrame(rateHz).samples)
    this.#gain = gainOf(levelDb)
  }

  /** Copies. */
  hear({ samples }: Frame): void {
    const slot = this.#ring[this.#written++ % this.#ring.length]
    slot?.set(samples)
    if (slot) applyGain(slot, this.#gain)
    this.#read = Math.max(this.#read, this.#written - this.#ring.length)
  }

  addTo(samples: Int16Array): void {
    if (this.#written - this.#read < this.#ring.length) return
    const slot = this.#ring[this.#read++ % this.#ring.length]
    if (slot) mixInto(samples, slot)
  }
}
