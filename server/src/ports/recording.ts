// What the engine asks of whoever keeps the sound of a call.
import type { Frame } from '../media/frame.ts'

export interface RecordingSink {
  /** One frame of each side for the same 20 ms; copies, never waits. */
  write(caller: Frame, agent: Frame): void
  /** Everything written is safe when it resolves; rejects with one sentence when it is not. */
  close(): Promise<void>
}
