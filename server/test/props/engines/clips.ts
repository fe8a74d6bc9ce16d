// Human speech and noise for the tests of the engines: readings from Debian's pocketsphinx-testdata, which `make test`
// installs, and the noise tracks that we ship.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type Frame, type RateHz, samplesPerFrame } from '../../../src/media/frame.ts'
import { decodeG711, encodeG711 } from '../../../src/media/g711.ts'
import { Resampler } from '../../../src/media/resample.ts'
import { parseWav } from '../../../src/media/wav-parse.ts'

const folder = pathToFileURL('/usr/share/pocketsphinx/test/data/')
const noises = new URL('../../../assets/ambience/', import.meta.url)

export interface Clip {
  readonly name: string
  /** At 16 kHz. */
  readonly samples: Int16Array
  /** The words, in lower case without punctuation; empty for noise. */
  readonly said: string
}

export const clipsAbsent = existsSync(folder)
  ? undefined
  : 'pocketsphinx-testdata is not installed; make test installs it'

/** A LibriVox reader (`lv_…`), card names (`cards_…`), robot commands, and noise without speech. */
export function readClips(): Clip[] {
  if (clipsAbsent) return []
  const robot = readFileSync(new URL('goforward.raw', folder))
  return [
    ...readings('librivox/', 'transcription', (file) => `lv_${file.slice(-4)}`),
    ...readings('cards/', 'cards.transcription', (file) => `cards_${file}`),
    {
      name: 'goforward',
      samples: new Int16Array(Uint8Array.from(robot).buffer),
      said: 'go forward ten meters',
    },
    ...readdirSync(noises).map((file) => ({
      name: `noise_${file.slice(0, -'.wav'.length)}`,
      samples: samplesOf(new URL(file, noises)),
      said: '',
    })),
  ]
}

/** A line of a transcription: `<s> ten of clubs </s> (001)`. */
function readings(within: string, transcription: string, nameOf: (file: string) => string): Clip[] {
  return readFileSync(new URL(within + transcription, folder), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, words, file] = /^<s> (.*?) *<\/s> \((.*)\)$/.exec(line) ?? []
      if (!words || !file) return []
      return [
        {
          name: nameOf(file),
          samples: samplesOf(new URL(`${within}${file}.wav`, folder)),
          // The transcription of this reading has a typo.
          said: words.replace('more a amiable', 'more amiable'),
        },
      ]
    })
}

const samplesOf = (file: URL): Int16Array => parseWav(readFileSync(file)).channels[0] ?? new Int16Array()

/** The last frame is padded with silence. */
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
export function overTelephone(sound: Int16Array, rateHz: RateHz = 16_000): Int16Array {
  const samples = resampled(sound, rateHz, 8_000)
  const bytes = new Uint8Array(samples.length)
  encodeG711('mu', samples, bytes)
  decodeG711('mu', bytes, samples)
  return samples
}
