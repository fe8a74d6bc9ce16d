// Who speaks: what vendors can be told about their number, and numbers for the names that vendors give them.
import { mostSpeakers } from '@parley/contract/transcript'
import type { TranscriptionOptions, TranscriptionRefusal } from '../../../ports/transcription.ts'
import { offline } from './vendor.ts'

export type SpeakerCount =
  | { readonly is: 'open' }
  | { readonly is: 'exact'; readonly count: number }
  | { readonly is: 'range'; readonly min: number; readonly max: number }

export function speakerCount({
  minSpeakers: min,
  maxSpeakers: max,
}: NonNullable<TranscriptionOptions['diarize']>): SpeakerCount {
  if (min === max) return { is: 'exact', count: min }
  return min === 1 && max === mostSpeakers ? { is: 'open' } : { is: 'range', min, max }
}

/** For a vendor that takes no speaker counts. */
export function refuseCounts(name: string, { diarize }: TranscriptionOptions): TranscriptionRefusal[] {
  if (!diarize || speakerCount(diarize).is === 'open') return []
  const sentence = `${name} counts the speakers itself; leave out num_speakers, min_speakers and max_speakers, or ${offline}.`
  return [{ option: 'diarize', sentence }]
}

/** For a vendor that only takes a maximum. */
export function refuseLeast(name: string, { diarize }: TranscriptionOptions): TranscriptionRefusal[] {
  if (!diarize || diarize.minSpeakers === 1) return []
  const sentence = `${name} takes only the greatest number of speakers; say max_speakers instead of num_speakers or min_speakers, or ${offline}.`
  return [{ option: 'diarize', sentence }]
}

/** From 0, in order of appearance. */
export function speakerNumbers(): (name: string | number | null | undefined) => number | null {
  const known = new Map<string | number, number>()
  return (name) => {
    if (name === null || name === undefined) return null
    const number = known.get(name) ?? known.size
    known.set(name, number)
    return number
  }
}
