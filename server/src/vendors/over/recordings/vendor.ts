// A transcription vendor: its address, its limits, and how a piece of audio becomes a transcript.
import type { Blob } from 'node:buffer'
import { mostSpeakers } from '@parley/contract/transcript'
import type {
  TranscriptionOptions,
  TranscriptionRefusal,
  TranscriptionResult,
} from '../../../ports/transcription.ts'
import type { Finish } from './remote-job.ts'
import type { Ask, VendorEndpoint } from './wire.ts'

/** What the operator configured. */
export interface TranscriptionServer {
  /** Undefined: the vendor's default. */
  readonly baseUrl: string | undefined
  /** Undefined: the vendor's recommended model. */
  readonly model: string | undefined
  readonly apiKey: string | undefined
}

export interface SoundPiece {
  /** Read from disk as it is sent. */
  readonly wav: Blob
  readonly seconds: number
}

export interface TranscriptionVendor extends VendorEndpoint {
  /** The longest audio per request, and so the longest recording it can diarize. */
  readonly mostSeconds: number
  refusals(wishes: TranscriptionOptions): readonly TranscriptionRefusal[]
  /**
   * Times from the beginning of the piece. Throws with one sentence when it fails. `ask` sends one request; `finish` is
   * for vendors with asynchronous jobs.
   */
  transcribe(
    piece: SoundPiece,
    wishes: TranscriptionOptions,
    wire: { readonly ask: Ask; readonly finish: Finish },
  ): Promise<TranscriptionResult>
}

export const offline = 'unset PARLEY_STT_PROTOCOL and PARLEY_STT_BASE_URL to use the offline engine'

type SpeakerCount =
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
