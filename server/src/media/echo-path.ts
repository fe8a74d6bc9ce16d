// Searches for an echo path: the lag and gain at which the received signal follows the sent one.
import type { LevelHistory } from './level.ts'

export interface EchoPath {
  readonly lagFrames: number
  readonly gainDb: number
}

export interface EchoCriteria {
  /** Largest deviation of the levels from a constant gain. */
  readonly offDb: number
  /** Noise level of the line: frames hardly louder prove nothing. */
  readonly noiseDb: number
}

// 800 ms: a satellite hop and two buffers.
export const longestLag = 40
// We send either a voice or silence; anything softer than this is breath.
export const audibleDb = -44
// Two syllables; fewer match almost anything by chance.
export const leastActive = 18
// Long enough to hold several syllables even across a pause.
const windowFrames = 96
// Range below the loudest level: the echo of anything softer is lost in line noise.
const syllableDb = 20
// Outliers to ignore, from packet loss and partial frames: beyond how many decibels, and what share.
const strayDb = 12
const mostStray = 0.1
// An echo may be amplified slightly.
const mostGainDb = 3
// This far above the noise a frame is a sound of its own.
const clearDb = 3

// A search reads each level some eighty times: plain arrays, allocated once per thread and shared by its calls.
const sent = new Float64Array(windowFrames + longestLag)
const received = new Float64Array(windowFrames)
const fit = { active: 0, gainDb: 0, offDb: 0, movedDb: 0, heardDb: 0 }

export function findPath(
  sentLevels: LevelHistory,
  receivedLevels: LevelHistory,
  { offDb, noiseDb }: EchoCriteria,
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

/** Whether the received levels follow those sent `lag` frames earlier at one constant gain. */
function fitAt(lag: number, softestDb: number, noiseDb: number): boolean {
  measure(lag, softestDb, 0, Number.POSITIVE_INFINITY)
  const { active } = fit
  if (active < leastActive) return false
  measure(lag, softestDb, fit.gainDb, strayDb)
  // A level that hardly varies matches anything that hardly varies.
  return (
    fit.active >= active * (1 - mostStray) && fit.movedDb > fit.offDb * 1.5 && fit.heardDb > noiseDb + clearDb
  )
}

/** Measures the frames whose gain lies within `withinDb` of `nearDb`. */
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
