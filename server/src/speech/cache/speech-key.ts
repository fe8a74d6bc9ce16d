// The key of kept speech: a hash of everything that changes the sound.
import { createHash } from 'node:crypto'
import type { RateHz } from '../../media/frame.ts'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'

/** Speech is kept at this rate, whatever the line's: it is as good as most vendors make it. */
export const keptRateHz: RateHz = 24_000

// Counted up when a file of an earlier version must not be played: also when a vendor changes its usual voice or
// model, which the options do not name.
const version = 2

export interface CachedSpeechSource {
  readonly vendor: string
  /** The vendor's address, where it is not its usual one. */
  readonly baseUrl: string | undefined
  readonly options: Omit<SynthesizerOptions, 'rateHz'>
}

/** The key in hexadecimal. */
export function cachedSpeechKey({ vendor, baseUrl, options }: CachedSpeechSource, text: string): string {
  // The way in which the sound is transferred does not change it.
  const { audioFormat, bufferSize, stream, pronunciations = [], ...voice } = options
  const lower = text.toLowerCase()
  const said = pronunciations.filter(({ written }) => lower.includes(written.toLowerCase()))
  const told = Object.entries(voice)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const all = JSON.stringify([version, keptRateHz, vendor, baseUrl ?? null, told, said, text])
  return createHash('sha256').update(all).digest('hex')
}
