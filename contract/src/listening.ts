// What is said on the WebSocket of somebody who listens in to a call. The sound itself comes as binary messages: 16-bit
// samples, little endian, both sides mixed.
import { z } from 'zod'
import { Id } from './words.ts'

/** The first message: which call. */
export const ListenTo = z.strictObject({ workspace_id: Id, session_id: Id })
export type ListenTo = z.infer<typeof ListenTo>

export type ToListener =
  /** What follows is at this rate. */
  | { readonly type: 'sound'; readonly rate_hz: number }
  /** The call has ended. */
  | { readonly type: 'over' }
  | { readonly type: 'refused'; readonly message: string }
