// The port for voice activity detection.
import type { Frame, RateHz } from '../media/frame.ts'

/** An event of a voice detector. `atMs` is a position in the audio since the stream was opened, not a time of day. */
export type VoiceEvent =
  | { readonly type: 'probability'; readonly probability: number; readonly atMs: number }
  | { readonly type: 'speech-start'; readonly atMs: number }
  | { readonly type: 'speech-end'; readonly atMs: number }
  /** The detector has failed, and no more events follow; the reason is one sentence. */
  | { readonly type: 'failed'; readonly reason: string }

export interface VoiceStream {
  /** Copies what it needs; never blocks. */
  write(frame: Frame): void
  /** Closes the stream: no event comes after this. */
  close(): void
}

export interface VoiceDetector {
  open(rateHz: RateHz, onEvent: (event: VoiceEvent) => void): VoiceStream
  /** Releases the engine; open streams fail. */
  close(): Promise<void>
}
