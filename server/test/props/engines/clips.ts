// Real speech and noise for the tests of the engines; the folder lies outside the repository and may be absent.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type Frame, type RateHz, samplesPerFrame } from '../../../src/media/frame.ts'
import { decodeG711, encodeG711 } from '../../../src/media/g711.ts'
import { Resampler } from '../../../src/media/resample.ts'
import { parseWav } from '../../../src/media/wav-parse.ts'

const folder = new URL('../../../../../../shared/data/speech/', import.meta.url)

export interface Clip {
  readonly name: string
  readonly samples: Int16Array
  /** What is said, in lower case without punctuation; nothing in a clip of noise. */
  readonly said: string
}

export const clipsAbsent = existsSync(folder) ? undefined : 'no speech clips beside the repository'

/** All at 16 kHz. */
export function readClips(): Clip[] {
  if (clipsAbsent) return []
  const said = new Map(
    readFileSync(new URL('references.tsv', folder), 'utf8')
      .split('\n')
      .map((line) => line.split('\t') as [string, string]),
  )
  return readdirSync(folder)
    .filter((file) => file.endsWith('.wav'))
    .map((file) => {
      const name = file.slice(0, -'.wav'.length)
      const samples = parseWav(readFileSync(new URL(file, folder))).channels[0] ?? new Int16Array()
      return { name, samples, said: said.get(name) ?? '' }
    })
}

/** The last frame is filled up with silence. */
export function framesOf(samples: Int16Array, rateHz: RateHz): Frame[] {
  const size = samplesPerFrame(rateHz)
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, place) => {
    const frame = new Int16Array(size)
    frame.set(samples.subarray(place * size, (place + 1) * size))
    return { samples: frame, rateHz }
  })
}

export function resampled(samples: Int16Array, fromHz: RateHz, toHz: RateHz): Int16Array {
  const resampler = new Resampler(fromHz, toHz)
  const size = samplesPerFrame(toHz)
  const frames = framesOf(samples, fromHz)
  const output = new Int16Array(frames.length * size)
  frames.forEach((frame, place) => {
    resampler.run(frame.samples, output.subarray(place * size, (place + 1) * size))
  })
  return output
}

/** As it arrives over a telephone line: 8 kHz, µ-law. */
export function overTelephone(samples16k: Int16Array): Int16Array {
  const samples = resampled(samples16k, 16_000, 8_000)
  const bytes = new Uint8Array(samples.length)
  encodeG711('mu', samples, bytes)
  decodeG711('mu', bytes, samples)
  return samples
}
