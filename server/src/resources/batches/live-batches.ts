// Live progress of batches: recipient counts by state, whenever they change, until the batch is over.
//
//   id: 7
//   event: progress
//   data: {"at":"2026-01-31T09:30:12.500Z","status":"in_progress","counts":{"pending":120, …}}
import { setTimeout as sleep } from 'node:timers/promises'
import type { BatchProgress } from '@parley/contract'
import type { EventText } from '../../http/body/text-stream.ts'
import type { Queries } from '../../platform/db/db.ts'
import { progressOf } from './batch-record.ts'
import { tallyOf } from './recipient-store.ts'

// Counting a hundred thousand recipients takes about 30 ms; all watchers of a batch share one count per second.
const countEveryMs = 1_000
// The pause is shorter than the minute after which proxies close an idle connection.
const heartbeatMs = 15_000
// How long a browser waits before reconnecting.
const retryMs = 1_000

export class LiveBatches {
  readonly #db: Queries
  readonly #closing = new AbortController()
  readonly #counts = new Map<string, Promise<BatchProgress | undefined>>()

  constructor(db: Queries) {
    this.#db = db
  }

  /** Disconnects all watchers; they reconnect to another process. */
  close(): void {
    this.#closing.abort()
  }

  /**
   * The current state, then every change; undefined after a while without one. Ends after the final state of a batch,
   * when it is deleted, when the signal aborts and when this process shuts down.
   */
  async *watch(batchId: string, signal: AbortSignal): AsyncGenerator<BatchProgress | undefined> {
    const ended = AbortSignal.any([signal, this.#closing.signal])
    let told = ''
    for (let toldMs = performance.now(); !ended.aborted; ) {
      const progress = await this.#countOf(batchId)
      if (!progress) return
      const text = JSON.stringify(progress)
      if (text !== told || performance.now() - toldMs > heartbeatMs) {
        yield text === told ? undefined : progress
        toldMs = performance.now()
        told = text
      }
      if (isOver(progress)) return
      await sleep(countEveryMs, undefined, { signal: ended }).catch(() => {})
    }
  }

  textOf = (batchId: string): EventText => {
    const watch = (signal: AbortSignal) => this.watch(batchId, signal)
    return async function* (signal) {
      yield `retry: ${retryMs}\n\n`
      let id = 0
      for await (const progress of watch(signal))
        yield progress ? eventOf(++id, progress) : ': still here\n\n'
    }
  }

  #countOf(batchId: string): Promise<BatchProgress | undefined> {
    const known = this.#counts.get(batchId)
    if (known) return known
    const counting = tallyOf(this.#db, batchId).then(progressOf)
    this.#counts.set(batchId, counting)
    // Half the interval, so that no watcher gets a stale count twice in a row.
    setTimeout(() => this.#counts.delete(batchId), countEveryMs / 2).unref()
    return counting
  }
}

/** Nothing will change any more: calls in progress when it was stopped have ended too. */
const isOver = ({ status, counts }: BatchProgress): boolean =>
  ['completed', 'cancelled', 'failed'].includes(status) && counts.in_progress === 0

const eventOf = (id: number, progress: BatchProgress): string =>
  `id: ${id}\nevent: ${isOver(progress) ? 'ended' : 'progress'}\ndata: ${JSON.stringify({ at: new Date().toISOString(), ...progress })}\n\n`
