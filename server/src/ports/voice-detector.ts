// What the engine asks of anything that hears whether somebody speaks.
import type { Frame, RateHz } from '../media/frame.ts'

/** `atMs` is a place in the sound written since the stream was opened, not a time of day. */
export type VoiceEvent =
  | { readonly type: 'probability'; readonly probability: number; readonly atMs: number }
  | { readonly type: 'speech-start'; readonly atMs: number }
  | { readonly type: 'speech-end'; readonly atMs: number }
  /** Nothing more will come; the reason is one sentence. */
  | { readonly type: 'failed'; readonly reason: string }

export interface VoiceStream {
  /** Copies what it needs; never waits. */
  write(frame: Frame): void
  /** No event comes after this. */
  close(): void
}

export interface VoiceDetector {
  open(rateHz: RateHz, onEvent: (event: VoiceEvent) => void): VoiceStream
  /** Lets go of the engine; open streams fail. */
  close(): Promise<void>
}
