// Hears whether what comes back on a line is our own voice: the loudness of both sides, frame by frame, compared.
//
// An echo follows what was sent at a constant distance in time and in level; another speaker does not. That takes some
// syllables to see. Until then the level alone tells: nobody's echo is as loud as a person. Only levels are kept, so
// the answer costs nothing until somebody asks for it.
import { audibleDb, type EchoPath, findPath, leastActive, longestLag } from './echo-path.ts'
import { LevelHistory } from './level-history.ts'

// A line hums at this level; no echo carries a voice below it.
const humDb = -72
// A room that is louder hides every echo of ours.
const loudRoomDb = -40
// Codecs and rooms move the level of a frame by two or three decibels, another voice by ten.
const surelyOffDb = 3.5
const perhapsOffDb = 5.5
// Lines echo 18 dB down and more; people are hardly so much softer than an agent. A louder echo is found by its path.
const usualGainDb = -16
// Louder than the echo alone by this: somebody speaks on top of it.
const marginDb = 6
// A syllable's beginning; one loud frame may be a click.
const recentFrames = 5
const moreThanClick = 2
// A search is the dearest thing in a call, and a syllable more is needed before it finds anything else.
const searchEveryFrames = 4
// A voice is there a little before it is noticed.
const onsetFrames = 3

/** `unclear`: soft enough to be an echo, and too short to be known as one. */
export type Whose = 'ours' | 'theirs' | 'unclear'

export class EchoMeter {
  readonly #sent = new LevelHistory(humDb)
  readonly #received = new LevelHistory(humDb)
  #path: EchoPath | undefined
  /** No echo of this line is louder, measured from what was sent. */
  #boundDb = usualGainDb

  /** By the frames that were heard. */
  #searchAgainAt = 0

  /** The two sides of the same 20 ms. */
  push(sent: Int16Array, received: Int16Array): void {
    this.#sent.push(sent)
    this.#received.push(received)
  }

  /** The path that was found once; lines do not change their echo often. */
  get path(): EchoPath | undefined {
    return this.#path
  }

  /** Whose voice it is that has been heard for so many frames. */
  whose(frames: number): Whose {
    if (this.isEcho()) return 'ours'
    return this.#path || this.#isAboveAnyEcho(Math.max(frames, recentFrames)) ? 'theirs' : 'unclear'
  }

  /** Whether what was received just now is our own voice and nothing more. */
  isEcho(): boolean {
    if (this.#path && this.#explains(this.#path)) return true
    if (this.#sent.count < this.#searchAgainAt) return false
    this.#searchAgainAt = this.#sent.count + searchEveryFrames
    const found = this.#search(surelyOffDb)
    if (found) this.#path = found
    return found !== undefined && this.#explains(found)
  }

  /** Whether something like an echo is there: not enough to close an ear, enough to doubt repeated words. */
  isSuspected(): boolean {
    return this.#path !== undefined || this.#search(perhapsOffDb) !== undefined
  }

  /** A voice began so many frames ago: what the line was like before it tells how loud its echo can be. */
  learnBefore(frames: number): void {
    let cameBackDb = humDb
    let wentOutDb = humDb
    let active = 0
    const before = frames + onsetFrames
    for (let age = before; age < this.#sent.length && active < leastActive; age++) {
      cameBackDb = Math.max(cameBackDb, this.#received.at(age))
      const sent = this.#sent.at(age)
      // The echo of anything later may still be on its way.
      if (age < before + longestLag || sent <= audibleDb) continue
      wentOutDb = Math.max(wentOutDb, sent)
      active++
    }
    const boundDb = cameBackDb - wentOutDb + marginDb
    // Where somebody spoke in between nothing is learned.
    if (active === leastActive && boundDb < usualGainDb) this.#boundDb = boundDb
  }

  #isAboveAnyEcho(frames: number): boolean {
    const loudestSent = this.#sent.loudest(frames + longestLag)
    if (loudestSent <= audibleDb || this.#received.above(humDb, frames) === 0) return true
    return this.#received.above(loudestSent + this.#boundDb, frames) >= moreThanClick
  }

  #search(offDb: number): EchoPath | undefined {
    return findPath(this.#sent, this.#received, { offDb, noiseDb: this.#noiseDb() })
  }

  #explains({ lagFrames, gainDb }: EchoPath): boolean {
    const noiseDb = this.#noiseDb()
    let louder = 0
    for (let age = 0; age < recentFrames; age++) {
      const near = Math.max(
        this.#sent.at(age + lagFrames - 1),
        this.#sent.at(age + lagFrames),
        this.#sent.at(age + lagFrames + 1),
      )
      if (this.#received.at(age) > Math.max(near + gainDb, noiseDb) + marginDb) louder++
    }
    return louder < recentFrames - 2
  }

  #noiseDb(): number {
    return Math.min(loudRoomDb, this.#received.quarterDb())
  }
}
