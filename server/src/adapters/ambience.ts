// The shipped background tracks, as frames of any rate: read when first asked for, then kept and shared by all calls.
import { readFile } from 'node:fs/promises'
import { type Frame, type RateHz, samplesPerFrame, silence } from '../media/frame.ts'
import { Resampler } from '../media/resample.ts'
import { parseWav } from '../media/wav-parse.ts'

export const ambienceTracks = ['convention_hall', 'office', 'cafe', 'street'] as const
export type AmbienceTrack = (typeof ambienceTracks)[number]

/** By the number of its 20 ms, without end. The frames are everybody's: read them, never write into them. */
export type Ambience = (frameNumber: number) => Frame

export interface ChosenTrack {
  readonly track: AmbienceTrack
  /** Why it is not the one that was asked for. */
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
  // A file that could not be read once may be there the next time.
  ambience.catch(() => opened.delete(key))
  return ambience
}

/** For whoever cannot wait: silent until the track has been read, and for good when it cannot be. */
export const ambienceOf =
  (track: AmbienceTrack) =>
  (rateHz: RateHz): Ambience => {
    let ambience: Ambience = () => silence(rateHz)
    openAmbience(track, rateHz).then(
      (opened) => (ambience = opened),
      () => {},
    )
    return (frameNumber) => ambience(frameNumber)
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
  // The filter hears the end before the beginning, so the loop closes without a click.
  resampler.run(loop.subarray(loop.length - fromSize), new Int16Array(toSize))
  return Array.from({ length: loop.length / fromSize }, (_, place) => {
    const samples = new Int16Array(toSize)
    resampler.run(loop.subarray(place * fromSize, (place + 1) * fromSize), samples)
    return { samples, rateHz }
  })
}
