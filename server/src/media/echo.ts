// Hears whether what comes back on a line is our own voice: the loudness of both sides, frame by frame, compared.
//
// An echo follows what was sent at a constant distance in time and in level; another speaker does not. That takes some
// syllables to see. Until then the level alone tells: nobody's echo is as loud as a person. Only levels are kept, so
// the answer costs nothing until somebody asks for it.
import { LevelHistory } from './level-history.ts'

// Long enough to hold some syllables, also when the sound stopped in between.
const windowFrames = 96
// A satellite hop and two buffers: 800 ms.
const longestLag = 40
// What we send is a voice or silence; below this it is its breath.
const audibleDb = -44
// The softest sounds of a syllable: their echo drowns in the noise of the line.
const syllableDb = 20
// A line hums at this level; no echo carries a voice below it.
const humDb = -72
// A room that is louder hides every echo of ours.
const loudRoomDb = -40
// Two syllables: fewer agree by chance with almost anything.
const leastActive = 18
// Codecs and rooms move the level of a frame by two or three decibels, another voice by ten.
const surelyOffDb = 3.5
const perhapsOffDb = 5.5
// Packets are lost, and a frame may be half of one sound: so far off and so few do not count.
const strayDb = 12
const mostStray = 0.1
// An echo may be amplified a little, hardly more.
const mostGainDb = 3
// Lines echo 18 dB down and more; people are hardly so much softer than an agent. A louder echo is found by its path.
const usualGainDb = -16
// Louder than the echo alone by this: somebody speaks on top of it.
const marginDb = 6
// A syllable's beginning; one loud frame may be a click.
const recentFrames = 5
const moreThanClick = 2
// A voice is there a little before it is noticed.
const onsetFrames = 3

export interface EchoPath {
  readonly lagFrames: number
  readonly gainDb: number
}

/** `unclear`: soft enough to be an echo, and too short to be known as one. */
export type Whose = 'ours' | 'theirs' | 'unclear'

interface Fit {
  readonly gainDb: number
  readonly offDb: number
  readonly movedDb: number
  readonly heardDb: number
}

export class EchoMeter {
  readonly #sent = new LevelHistory(humDb)
  readonly #received = new LevelHistory(humDb)
  #path: EchoPath | undefined
  /** No echo of this line is louder, measured from what was sent. */
  #boundDb = usualGainDb

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
    let best: EchoPath | undefined
    let leastOff = offDb
    const loudestSent = this.#sent.loudest(windowFrames + longestLag)
    if (loudestSent <= audibleDb) return undefined
    const softestDb = Math.max(audibleDb, loudestSent - syllableDb)
    const noiseDb = this.#noiseDb()
    for (let lag = 0; lag <= longestLag; lag++) {
      const fit = this.#fit(lag, softestDb, noiseDb)
      if (!fit || fit.offDb >= leastOff || fit.gainDb > mostGainDb) continue
      leastOff = fit.offDb
      best = { lagFrames: lag, gainDb: fit.gainDb }
    }
    return best
  }

  /** How far the received levels lie from the sent ones, `lag` frames before, moved by one gain. */
  #fit(lag: number, softestDb: number, noiseDb: number): Fit | undefined {
    const rough = this.#gainsAt(lag, softestDb, 0, Number.POSITIVE_INFINITY)
    const fit = this.#gainsAt(lag, softestDb, rough.gainDb, strayDb)
    if (rough.active < leastActive || fit.active < rough.active * (1 - mostStray)) return undefined
    // A level that hardly moves fits everything that hardly moves.
    return fit.movedDb > fit.offDb * 1.5 && fit.heardDb > noiseDb + marginDb / 2 ? fit : undefined
  }

  /** Of the frames whose gain lies near one. */
  #gainsAt(lag: number, softestDb: number, nearDb: number, withinDb: number): Fit & { active: number } {
    let active = 0
    let sum = 0
    let squares = 0
    let sentSum = 0
    let sentSquares = 0
    for (let age = 0; age < windowFrames; age++) {
      const sent = this.#sent.at(age + lag)
      if (sent <= softestDb) continue
      const gain = this.#received.at(age) - sent
      if (Math.abs(gain - nearDb) > withinDb) continue
      active++
      sum += gain
      squares += gain * gain
      sentSum += sent
      sentSquares += sent * sent
    }
    const gainDb = sum / active
    const sentDb = sentSum / active
    return {
      active,
      gainDb,
      offDb: Math.sqrt(Math.max(0, squares / active - gainDb * gainDb)),
      movedDb: Math.sqrt(Math.max(0, sentSquares / active - sentDb * sentDb)),
      heardDb: sentDb + gainDb,
    }
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
