// Keys as tones, for a far end that takes no events. They are sent in place of the agent's sound.
import { DtmfPlayer } from '../../../media/dtmf.ts'
import { type Frame, makeFrame, type RateHz } from '../../../media/frame.ts'

export class KeyTones {
  readonly #frame: Frame
  #playing: { readonly player: DtmfPlayer; readonly done: () => void } | null = null

  constructor(rateHz: RateHz) {
    this.#frame = makeFrame(rateHz)
  }

  /** Resolves when the last one has been played. */
  play(digits: string): Promise<void> {
    const player = new DtmfPlayer(digits, this.#frame.rateHz)
    return new Promise((done) => {
      this.#playing = { player, done }
    })
  }

  /** Returns the next 20 ms of tones, lent until the next call; null: there are none. */
  next(): Frame | null {
    if (!this.#playing) return null
    const { player, done } = this.#playing
    player.fill(this.#frame.samples)
    if (player.done) {
      this.#playing = null
      done()
    }
    return this.#frame
  }

  close(): void {
    this.#playing?.done()
  }
}
