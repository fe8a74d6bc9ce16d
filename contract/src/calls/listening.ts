// The messages on the WebSocket of somebody who listens in to a call. The sound itself comes as binary messages: 16-bit
// samples, little endian, both sides mixed.
import { z } from 'zod'
import { Id } from '../words.ts'

/** The first message of a listener, which names the call. */
export const ListenTo = z.strictObject({ workspace_id: Id, session_id: Id })
export type ListenTo = z.infer<typeof ListenTo>

export type ToListener =
  /** The sample rate of the sound that follows. */
  | { readonly type: 'sound'; readonly rate_hz: number }
  /** The call has ended. */
  | { readonly type: 'over' }
  | { readonly type: 'refused'; readonly message: string }
