// A transcription vendor: its address, its limits, and how a piece of audio becomes a transcript.
import type { Blob } from 'node:buffer'
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
