// The shipped background tracks, as frames at any rate: loaded on first use, then cached and shared by all calls.
import { readFile } from 'node:fs/promises'
import { type Frame, type RateHz, samplesPerFrame, silence } from '../media/frame.ts'
import { Resampler } from '../media/resample.ts'
import { parseWav } from '../media/wav-parse.ts'

export const ambienceTracks = ['convention_hall', 'office', 'cafe', 'street'] as const
export type AmbienceTrack = (typeof ambienceTracks)[number]

/** Returns a frame by its number; the track loops forever. The frames are shared: never write into them. */
export type Ambience = (frameNumber: number) => Frame

export interface ChosenTrack {
  readonly track: AmbienceTrack
  /** Why this is not the track that was requested. */
  readonly why: string | null
}

const trackHz = 16_000
const folder = new URL('../../assets/ambience/', import.meta.url)

const opened = new Map<string, Promise<Ambience>>()

export function chooseTrack(asked: string): ChosenTrack {
  const track = ambienceTracks.find((name) => name === asked)
  if (track) return { track, why: null }
  return {
    track: 'convention_hall',
    why: `There is no ambience '${asked}', so convention_hall is played; there are ${ambienceTracks.join(', ')}.`,
  }
}

export function openAmbience(asked: string, rateHz: RateHz): Promise<Ambience> {
  const { track } = chooseTrack(asked)
  const key = `${track} ${rateHz}`
  const ambience = opened.get(key) ?? read(track, rateHz)
  opened.set(key, ambience)
  // A failure is not cached: the file may be readable next time.
  ambience.catch(() => opened.delete(key))
  return ambience
}

/** The track for a call, which cannot await: silent until the track has loaded, and for good if loading fails. */
export function ambienceOfCall(
  asked: string | null,
  note: (sentence: string) => void,
): ((rateHz: RateHz) => Ambience) | undefined {
  if (asked === null) return undefined
  const { track, why } = chooseTrack(asked)
  if (why) note(why)
  return (rateHz) => {
    let ambience: Ambience = () => silence(rateHz)
    openAmbience(track, rateHz).then(
      (opened) => (ambience = opened),
      () => {},
    )
    return (frameNumber) => ambience(frameNumber)
  }
}

async function read(track: AmbienceTrack, rateHz: RateHz): Promise<Ambience> {
  const [samples] = parseWav(await readFile(new URL(`${track}.wav`, folder))).channels
  const frames = framesOf(samples ?? new Int16Array(), rateHz)
  return (frameNumber) => frames[frameNumber % frames.length] as Frame
}

function framesOf(loop: Int16Array, rateHz: RateHz): Frame[] {
  const fromSize = samplesPerFrame(trackHz)
  const toSize = samplesPerFrame(rateHz)
  const resampler = new Resampler(trackHz, rateHz)
  // Primes the filter with the end of the loop, so that the loop closes without a click.
  resampler.run(loop.subarray(loop.length - fromSize), new Int16Array(toSize))
  return Array.from({ length: loop.length / fromSize }, (_, place) => {
    const samples = new Int16Array(toSize)
    resampler.run(loop.subarray(place * fromSize, (place + 1) * fromSize), samples)
    return { samples, rateHz }
  })
}
