// What an engine's thread and its owner say to each other. One question is under way at a time, so none has a number.
import type { Transferable } from 'node:worker_threads'

export type ToEngine<Question> =
  | { readonly type: 'question'; readonly question: Question }
  /** Nobody waits for the answer any more; there is still one reply, of whatever kind. */
  | { readonly type: 'cancel' }
  | { readonly type: 'close' }

export type FromEngine<Answer> =
  | { readonly type: 'ready' }
  | { readonly type: 'answer'; readonly answer: Answer }
  /** This one question has no answer; the next may have. */
  | { readonly type: 'refused'; readonly reason: string }
  /** The engine could not be loaded; the thread ends. */
  | { readonly type: 'failed'; readonly reason: string }

/** Memory inside a question or an answer that moves instead of being copied. */
export type Moved = readonly Transferable[]

/** What a thread is born with. */
export interface MediaThreadOptions<Load> {
  readonly load: Load
  /** It works only where no other thread wants the core. */
  readonly gentle: boolean
  /** Becomes 1 when the thread will not enter a native library again. */
  readonly parked: Int32Array<SharedArrayBuffer>
}
