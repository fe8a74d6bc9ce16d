// Wakes requests that wait for a transcript when it ends, whichever process ended it.
import type { Db, Subscription } from '../../platform/db/db.ts'

export class CompletionNotices {
  readonly #db: Db
  readonly #waiting = new Map<string, Set<() => void>>()
  #notices: Subscription | undefined
  /** True once this process stops: no more notifications. */
  closed = false

  constructor(db: Db) {
    this.#db = db
  }

  async open(): Promise<this> {
    this.#notices = await this.#db.listen('transcript_ends', {
      notice: (transcriptId) => this.#notify(transcriptId),
      // Notifications may have been missed: every waiting request checks again.
      resumed: () => this.#notifyAll(),
    })
    return this
  }

  /** Resolves when the transcript ends, on timeout, on abort and when this process stops; the caller checks which. */
  wait(transcriptId: string, withinMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.closed || signal.aborted) return resolve()
      const all = this.#waiting.get(transcriptId) ?? new Set()
      this.#waiting.set(transcriptId, all)
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        all.delete(done)
        if (all.size === 0) this.#waiting.delete(transcriptId)
        resolve()
      }
      const timer = setTimeout(done, withinMs)
      signal.addEventListener('abort', done)
      all.add(done)
    })
  }

  async close(): Promise<void> {
    this.closed = true
    this.#notifyAll()
    await this.#notices?.close()
  }

  #notify(transcriptId: string): void {
    for (const done of [...(this.#waiting.get(transcriptId) ?? [])]) done()
  }

  #notifyAll(): void {
    for (const transcriptId of [...this.#waiting.keys()]) this.#notify(transcriptId)
  }
}
