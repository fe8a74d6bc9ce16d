// What a vendor of transcripts is: where it is, what it cannot do, and how a piece of sound becomes findings.
import type { Blob } from 'node:buffer'
import type {
  TranscriptionOptions,
  TranscriptionRefusal,
  TranscriptionResult,
} from '../../../ports/transcription.ts'
import type { Finish } from './remote-job.ts'
import type { Ask, Place } from './wire.ts'

/** What the operator has set. */
export interface TranscriptionServer {
  /** Undefined: the vendor's own. */
  readonly baseUrl: string | undefined
  /** Undefined: the one that the vendor recommends. */
  readonly model: string | undefined
  readonly apiKey: string | undefined
}

export interface SoundPiece {
  /** Stays in its file until it is sent. */
  readonly wav: Blob
  readonly seconds: number
}

export interface TranscriptionVendor extends Place {
  /** The longest sound that it takes at once, and so the longest in which it can tell speakers apart. */
  readonly mostSeconds: number
  refusals(wishes: TranscriptionOptions): readonly TranscriptionRefusal[]
  /**
   * Times from the beginning of the piece. Throws one sentence when it fails. `ask` is one request; `finish` is for
   * servers that take an order and do it in their own time.
   */
  transcribe(
    piece: SoundPiece,
    wishes: TranscriptionOptions,
    wire: { readonly ask: Ask; readonly finish: Finish },
  ): Promise<TranscriptionResult>
}

export const offline = 'unset PARLEY_STT_PROTOCOL and PARLEY_STT_BASE_URL to use the offline engine'
