// Looks for the path of an echo: the distance in time and level at which what comes back follows what was sent.
import type { LevelHistory } from './level-history.ts'

export interface EchoPath {
  readonly lagFrames: number
  readonly gainDb: number
}

export interface Sought {
  /** How far the levels may lie from one gain. */
  readonly offDb: number
  /** The line's own: what is hardly louder proves nothing. */
  readonly noiseDb: number
}

// A satellite hop and two buffers: 800 ms.
export const longestLag = 40
// What we send is a voice or silence; below this it is its breath.
export const audibleDb = -44
// Two syllables: fewer agree by chance with almost anything.
export const leastActive = 18
// Long enough to hold some syllables, also when the sound stopped in between.
const windowFrames = 96
// The softest sounds of a syllable: their echo drowns in the noise of the line.
const syllableDb = 20
// Packets are lost, and a frame may be half of one sound: so far off and so few do not count.
const strayDb = 12
const mostStray = 0.1
// An echo may be amplified a little, hardly more.
const mostGainDb = 3
// Above the noise by this it is a sound of its own.
const clearDb = 3

// A search looks at each level some eighty times: in a plain array, made once for all calls of a thread.
const sent = new Float64Array(windowFrames + longestLag)
const received = new Float64Array(windowFrames)
const fit = { active: 0, gainDb: 0, offDb: 0, movedDb: 0, heardDb: 0 }

export function findPath(
  sentLevels: LevelHistory,
  receivedLevels: LevelHistory,
  { offDb, noiseDb }: Sought,
): EchoPath | undefined {
  const loudestSent = sentLevels.loudest(sent.length)
  if (loudestSent <= audibleDb) return undefined
  const softestDb = Math.max(audibleDb, loudestSent - syllableDb)
  sentLevels.copyNewest(sent)
  receivedLevels.copyNewest(received)
  let path: EchoPath | undefined
  let leastOff = offDb
  for (let lag = 0; lag <= longestLag; lag++) {
    if (!fitAt(lag, softestDb, noiseDb) || fit.offDb >= leastOff || fit.gainDb > mostGainDb) continue
    leastOff = fit.offDb
    path = { lagFrames: lag, gainDb: fit.gainDb }
  }
  return path
}

/** Whether the received levels lie near the sent ones, `lag` frames before, moved by one gain. */
function fitAt(lag: number, softestDb: number, noiseDb: number): boolean {
  measure(lag, softestDb, 0, Number.POSITIVE_INFINITY)
  const { active } = fit
  if (active < leastActive) return false
  measure(lag, softestDb, fit.gainDb, strayDb)
  // A level that hardly moves fits everything that hardly moves.
  return (
    fit.active >= active * (1 - mostStray) && fit.movedDb > fit.offDb * 1.5 && fit.heardDb > noiseDb + clearDb
  )
}

/** Of the frames whose gain lies near one. */
function measure(lag: number, softestDb: number, nearDb: number, withinDb: number): void {
  let active = 0
  let sum = 0
  let squares = 0
  let sentSum = 0
  let sentSquares = 0
  for (let age = 0; age < windowFrames; age++) {
    const sentDb = sent[age + lag] as number
    if (sentDb <= softestDb) continue
    const gain = (received[age] as number) - sentDb
    if (Math.abs(gain - nearDb) > withinDb) continue
    active++
    sum += gain
    squares += gain * gain
    sentSum += sentDb
    sentSquares += sentDb * sentDb
  }
  const sentDb = sentSum / active
  fit.active = active
  fit.gainDb = sum / active
  fit.offDb = Math.sqrt(Math.max(0, squares / active - fit.gainDb * fit.gainDb))
  fit.movedDb = Math.sqrt(Math.max(0, sentSquares / active - sentDb * sentDb))
  fit.heardDb = sentDb + fit.gainDb
}
