// The port for what records a call.
import type { Frame } from '../media/frame.ts'

export interface RecordingSink {
  /** Takes one frame of each side for the same 20 ms; copies, never blocks. */
  write(caller: Frame, agent: Frame): void
  /** Resolves when everything written is safe; rejects with one sentence when it is not. */
  close(): Promise<void>
  /** Resolves when there is room for more. */
  flushed(): Promise<void>
  /** Discards the recording; nothing more is written. */
  discard(): Promise<void>
}
