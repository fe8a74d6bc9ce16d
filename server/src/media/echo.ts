// Hears whether what comes back on a line is our own voice: the loudness of both sides, frame by frame, compared.
//
// An echo follows what was sent at a constant distance in time and in level; another speaker does not. Only levels are
// kept, so the answer costs nothing until somebody asks for it.
import { levelDb } from './level.ts'

// Long enough to hold some syllables, also when the sound stopped in between.
const windowFrames = 96
// A satellite hop and two buffers: 800 ms.
const longestLag = 40
const ringFrames = 256
// Below it a line hums; nothing can be compared there.
const floorDb = -50
// Two syllables: fewer agree by chance with almost anything.
const leastActive = 18
// Codecs and rooms move the level of a frame by two or three decibels, another voice by ten.
const surelyOffDb = 3.5
const perhapsOffDb = 5.5
// An echo may be amplified a little, hardly more.
const mostGainDb = 3
// Louder than the echo alone by this: somebody speaks on top of it.
const marginDb = 6
// A syllable's beginning; one loud frame may be a click.
const recentFrames = 5

export interface EchoPath {
  readonly lagFrames: number
  readonly gainDb: number
}

export class EchoMeter {
  readonly #sent = new Float64Array(ringFrames).fill(floorDb)
  readonly #received = new Float64Array(ringFrames).fill(floorDb)
  #count = 0
  #path: EchoPath | undefined

  /** The two sides of the same 20 ms. */
  push(sent: Int16Array, received: Int16Array): void {
    const place = this.#count % ringFrames
    this.#sent[place] = Math.max(floorDb, levelDb(sent))
    this.#received[place] = Math.max(floorDb, levelDb(received))
    this.#count++
  }

  /** The path that was found once; lines do not change their echo often. */
  get path(): EchoPath | undefined {
    return this.#path
  }

  /** Whether what was received just now is our own voice and nothing more. */
  isEcho(): boolean {
    const found = this.#search(surelyOffDb)
    if (found) this.#path = found
    return this.#path !== undefined && this.#explains(this.#path)
  }

  /** Whether something like an echo is there: not enough to close an ear, enough to doubt repeated words. */
  isSuspected(): boolean {
    return this.#path !== undefined || this.#search(perhapsOffDb) !== undefined
  }

  #search(offDb: number): EchoPath | undefined {
    let best: EchoPath | undefined
    let leastOff = offDb
    for (let lag = 0; lag <= longestLag; lag++) {
      const fit = this.#fit(lag)
      if (!fit || fit.offDb >= leastOff || fit.gainDb > mostGainDb) continue
      leastOff = fit.offDb
      best = { lagFrames: lag, gainDb: fit.gainDb }
    }
    return best
  }

  /** How far the received levels lie from the sent ones, `lag` frames before, moved by one gain. */
  #fit(lag: number): { gainDb: number; offDb: number } | undefined {
    let active = 0
    let sum = 0
    let squares = 0
    let sentSum = 0
    let sentSquares = 0
    for (let age = 0; age < windowFrames; age++) {
      const sent = this.#at(this.#sent, age + lag)
      if (sent <= floorDb + marginDb) continue
      const received = this.#at(this.#received, age)
      const gain = received - sent
      active++
      sum += gain
      squares += gain * gain
      sentSum += sent
      sentSquares += sent * sent
    }
    if (active < leastActive) return undefined
    const gainDb = sum / active
    const offDb = Math.sqrt(Math.max(0, squares / active - gainDb * gainDb))
    // A level that hardly moves fits everything that hardly moves.
    const movedDb = Math.sqrt(Math.max(0, sentSquares / active - (sentSum / active) ** 2))
    return movedDb > offDb * 1.5 && sentSum / active + gainDb > floorDb + marginDb / 2
      ? { gainDb, offDb }
      : undefined
  }

  #explains({ lagFrames, gainDb }: EchoPath): boolean {
    let louder = 0
    for (let age = 0; age < recentFrames; age++) {
      const near = Math.max(
        this.#at(this.#sent, age + lagFrames - 1),
        this.#at(this.#sent, age + lagFrames),
        this.#at(this.#sent, age + lagFrames + 1),
      )
      if (this.#at(this.#received, age) > Math.max(near + gainDb, floorDb) + marginDb) louder++
    }
    return louder < recentFrames - 2
  }

  #at(ring: Float64Array, age: number): number {
    const index = this.#count - 1 - Math.max(0, age)
    return index < 0 ? floorDb : (ring[index % ringFrames] as number)
  }
}
