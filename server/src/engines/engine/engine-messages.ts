// Messages between an engine thread and its owner. One question runs at a time, so questions need no id.
import type { Transferable } from 'node:worker_threads'

export type ToEngine<Question> =
  | { readonly type: 'question'; readonly question: Question }
  /** Withdraws the question; exactly one reply still follows, of any kind. */
  | { readonly type: 'cancel' }
  | { readonly type: 'close' }

export type FromEngine<Answer> =
  | { readonly type: 'ready' }
  | { readonly type: 'answer'; readonly answer: Answer }
  /** Reports that this question failed; the next may succeed. */
  | { readonly type: 'refused'; readonly reason: string }
  /** Reports that the engine could not be loaded; the thread ends. */
  | { readonly type: 'failed'; readonly reason: string }

/** Buffers in a question or an answer that are transferred instead of copied. */
export type TransferredBuffers = readonly Transferable[]

export interface EngineWorkerData<Load> {
  readonly load: Load
  /** The niceness as `nice` counts: from 0, like every other thread, to 19, only where no other thread wants the core. */
  readonly niceness: number
  /** Set to 1 once the thread will not enter a native library again. */
  readonly parked: Int32Array<SharedArrayBuffer>
}

/** The first line of an error: native libraries report errors over several lines. */
export const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? 'no reason given'
