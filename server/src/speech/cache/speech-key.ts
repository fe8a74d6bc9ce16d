// What a vendor's speech is kept under: a hash of everything that changes the sound.
import { createHash } from 'node:crypto'
import type { RateHz } from '../../media/frame.ts'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'

/** The rate that speech is kept at, whatever the line's: as good as most vendors make it. */
export const keptRateHz: RateHz = 24_000

// Counted up when a file of an earlier version must not be played: also when a vendor's usual voice or model changes, which
// are not named in the options.
const version = 2

export interface CachedSpeechSource {
  /** The vendor's name. */
  readonly vendor: string
  /** Its address, where it is not its own. */
  readonly baseUrl: string | undefined
  readonly options: Omit<SynthesizerOptions, 'rateHz'>
}

/** In hexadecimal. */
export function cachedSpeechKey({ vendor, baseUrl, options }: CachedSpeechSource, text: string): string {
  // How it is transferred changes nothing.
  const { audioFormat, bufferSize, stream, pronunciations = [], ...voice } = options
  const lower = text.toLowerCase()
  const said = pronunciations.filter(({ written }) => lower.includes(written.toLowerCase()))
  const told = Object.entries(voice)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const all = JSON.stringify([version, keptRateHz, vendor, baseUrl ?? null, told, said, text])
  return createHash('sha256').update(all).digest('hex')
}
