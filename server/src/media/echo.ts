// Detects whether the received signal is an echo of our own voice by comparing the levels of both directions, frame by
// frame.
//
// An echo follows the sent signal at a constant lag and gain; another speaker does not. Seeing that takes a few
// syllables. Until then the level alone decides: an echo is softer than a person. Only levels are stored, so nothing is
// computed until somebody asks.
import { audibleDb, type EchoPath, findPath, leastActive, longestLag } from './echo-path.ts'
import { LevelHistory } from './level.ts'

// The level of line hum; no echo carries a voice below it.
const humDb = -72
// A room louder than this masks any echo.
const loudRoomDb = -40
// Codecs and rooms vary a frame's level by two or three decibels, another voice by ten.
const surelyOffDb = 3.5
const perhapsOffDb = 5.5
// Line echo is 18 dB down or more; people are rarely that much softer. A louder echo is found by its path.
const usualGainDb = -16
// A sound that is this much louder than the echo alone has someone speaking over the echo.
const marginDb = 6
// The start of a syllable; a single loud frame may be a click.
const recentFrames = 5
const moreThanClick = 2
// A search is the most expensive step of a call, and finds nothing new before another syllable has passed.
const searchEveryFrames = 4
// A voice starts slightly before it is detected.
const onsetFrames = 3

/** `unclear`: soft enough to be an echo, and too short to be recognised as one. */
export type SoundOwner = 'ours' | 'theirs' | 'unclear'

export class EchoMeter {
  readonly #sent = new LevelHistory(humDb)
  readonly #received = new LevelHistory(humDb)
  #path: EchoPath | undefined
  /** Upper bound of this line's echo, relative to the sent level. */
  #boundDb = usualGainDb

  /** The frame at which the next search is due. */
  #searchAgainAt = 0

  /** Takes both directions of the same 20 ms. */
  push(sent: Int16Array, received: Int16Array): void {
    this.#sent.push(sent)
    this.#received.push(received)
  }

  /** The echo path of the line, which is kept once it is found: it rarely changes. */
  get path(): EchoPath | undefined {
    return this.#path
  }

  /** Whose voice a sound is that has lasted for `frames`. */
  whose(frames: number): SoundOwner {
    if (this.isEcho()) return 'ours'
    return this.#path || this.#isAboveAnyEcho(Math.max(frames, recentFrames)) ? 'theirs' : 'unclear'
  }

  /** Whether the current signal is our own voice and nothing more. */
  isEcho(): boolean {
    if (this.#path && this.#explains(this.#path)) return true
    if (this.#sent.count < this.#searchAgainAt) return false
    this.#searchAgainAt = this.#sent.count + searchEveryFrames
    const echoPath = this.#search(surelyOffDb)
    if (echoPath) this.#path = echoPath
    return echoPath !== undefined && this.#explains(echoPath)
  }

  /** Whether there is a weaker match: not enough to ignore the caller, enough to doubt words that repeat ours. */
  isSuspected(): boolean {
    return this.#path !== undefined || this.#search(perhapsOffDb) !== undefined
  }

  /** Learns when a voice began `frames` ago: the levels before it bound how loud this line's echo can be. */
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
    // Nothing is learned if someone spoke in between.
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
