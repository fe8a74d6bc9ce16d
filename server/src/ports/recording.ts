// The port for whatever records a call.
import type { Frame } from '../media/frame.ts'

export interface RecordingSink {
  /** One frame of each side for the same 20 ms; copies, never blocks. */
  write(caller: Frame, agent: Frame): void
  /** Resolves when everything written is safe; rejects with one sentence when it is not. */
  close(): Promise<void>
  /** Resolves when there is room for more. */
  flushed(): Promise<void>
  /** Nothing of it is kept, and nothing more is written. */
  discard(): Promise<void>
}
