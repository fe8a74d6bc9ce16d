// What is on the line besides the callee's voice: background noise, and the agent's own audio as an echo.
import { type Frame, frameMs, makeFrame, type RateHz } from '../../media/frame.ts'
import { applyGain, gainOf, mixInto } from '../../media/mix.ts'

/** An endless sound, by frame number. */
export type Noise = (frameNumber: number) => Frame

export interface Background {
  /** Adds its next 20 ms. */
  addTo(samples: Int16Array): void
}

/** The frames are shared, so they are copied before their level is changed. */
export function noiseAround(noise: Noise, gainDb: number, rateHz: RateHz): Background {
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

/** What the agent sent comes back delayed and attenuated, in whole frames. */
export class Echo implements Background {
  readonly #ring: readonly Int16Array[]
  readonly #gain: number
  #written = 0
  #read = 0

  constructor(delayMs: number, levelDb: number, rateHz: RateHz) {
    const delayFrames = Math.max(1, Math.round(delayMs / frameMs))
    this.#ring = Array.from({ length: delayFrames + 1 }, () => makeFrame(rateHz).samples)
    this.#gain = gainOf(levelDb)
  }

  /** Takes a copy of the frame. */
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
