// Listening in: takes the sound that goes into a recording, both sides mixed, for those who listen at the moment.
// While nobody listens, it costs one comparison per frame.
import { type Frame, frameMs, type RateHz, samplesPerFrame } from '../../media/frame.ts'
import { mixInto } from '../../media/mix.ts'
import type { RecordingSink } from '../../ports/recording.ts'

/** Receives mono sound. The samples are overwritten by the next piece. */
export type TapListener = (samples: Int16Array, rateHz: RateHz) => void

// Pieces of 60 ms: few enough not to keep another thread busy, short enough to follow a conversation.
const pieceFrames = 60 / frameMs

export class Tap {
  readonly #onSound: TapListener
  #isOpen = false
  #piece: Int16Array | undefined
  #frames = 0

  constructor(onSound: TapListener) {
    this.#onSound = onSound
  }

  open(isOpen: boolean): void {
    this.#isOpen = isOpen
    this.#piece = undefined
    this.#frames = 0
  }

  /** Wraps a recording, so that its sound can be heard. A call that is not recorded cannot be heard. */
  over(record: (rateHz: RateHz) => RecordingSink): (rateHz: RateHz) => RecordingSink {
    return (rateHz) => {
      const sink = record(rateHz)
      return {
        write: (caller, agent) => {
          if (this.#isOpen) this.#take(caller, agent)
          sink.write(caller, agent)
        },
        close: () => sink.close(),
        flushed: () => sink.flushed(),
        discard: () => sink.discard(),
      }
    }
  }

  #take({ samples, rateHz }: Frame, agent: Frame): void {
    const length = samplesPerFrame(rateHz)
    this.#piece ??= new Int16Array(pieceFrames * length)
    const place = this.#piece.subarray(this.#frames * length, (this.#frames + 1) * length)
    place.set(samples)
    mixInto(place, agent.samples)
    if (++this.#frames < pieceFrames) return
    this.#frames = 0
    this.#onSound(this.#piece, rateHz)
  }
}
