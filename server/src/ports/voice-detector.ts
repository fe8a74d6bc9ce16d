// The port for voice activity detection.
import type { Frame, RateHz } from '../media/frame.ts'

/** `atMs` is a position in the audio written since the stream was opened, not a time of day. */
export type VoiceEvent =
  | { readonly type: 'probability'; readonly probability: number; readonly atMs: number }
  | { readonly type: 'speech-start'; readonly atMs: number }
  | { readonly type: 'speech-end'; readonly atMs: number }
  /** No more events follow; the reason is one sentence. */
  | { readonly type: 'failed'; readonly reason: string }

export interface VoiceStream {
  /** Copies what it needs; never blocks. */
  write(frame: Frame): void
  /** No event comes after this. */
  close(): void
}

export interface VoiceDetector {
  open(rateHz: RateHz, onEvent: (event: VoiceEvent) => void): VoiceStream
  /** Releases the engine; open streams fail. */
  close(): Promise<void>
}
