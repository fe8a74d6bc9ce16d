// Writes the updates of this process's calls in batches, and how the calls ended.
//
// While the database is unavailable, updates and ends are buffered here. Updates are bounded: interim transcripts are
// dropped first, then whatever the record of the ended call repeats. An end is never dropped.

import { type Db, isBadData } from '../../../platform/db/db.ts'
import type { Log } from '../../../platform/log.ts'
import { type Loop, startLoop } from '../../../platform/loop.ts'
import type { ReportedUpdate } from '../../../ports/call.ts'
import { type EventRow, writeEvents } from './event-store.ts'
import { wireEventOf } from './event-wire.ts'
import { type EndOfCall, finishCalls } from './finish-calls.ts'

// The pause is short enough for live watchers, and long enough that a hundred calls cost ten statements a second.
const gatherMs = 100
const brokenMs = 250
const idleMs = 60_000
// About 10 MB: an hour without a database for a hundred calls.
const mostUpdates = 50_000

export class CallEventWriter {
  readonly #db: Db
  readonly #log: Log
  readonly #eventDelaySeconds: number
  /** By call and sequence number; interim transcripts by call and role, so that each replaces the one before. */
  #updates = new Map<string, EventRow>()
  #ends: EndOfCall[] = []
  #lastFlushMs = Number.NEGATIVE_INFINITY
  #flushing: Promise<void> = Promise.resolve()
  readonly #loop: Loop

  constructor(db: Db, log: Log, eventDelaySeconds: number) {
    this.#db = db
    this.#log = log
    this.#eventDelaySeconds = eventDelaySeconds
    this.#loop = startLoop(
      () => this.#step(),
      (err) => {
        log.warn(
          { err, updates: this.#updates.size, ends: this.#ends.length },
          'call updates wait for the database',
        )
        return brokenMs
      },
    )
  }

  add(sessionId: string, seq: number, update: ReportedUpdate): void {
    const { type, data } = wireEventOf(update)
    const name = update.type === 'partial' ? `${sessionId}/${update.role}` : `${sessionId}/${seq}`
    this.#updates.delete(name)
    this.#updates.set(name, { sessionId, seq, at: new Date(), type, data })
    if (this.#updates.size > mostUpdates) this.#makeRoom()
    this.#loop.wake()
  }

  end(end: EndOfCall): void {
    this.#ends.push(end)
    this.#loop.wake()
  }

  /** Calls whose end is not stored yet. */
  get unsavedEnds(): readonly string[] {
    return this.#ends.map(({ sessionId }) => sessionId)
  }

  /** Writes what is buffered; rejects if the database is unavailable. */
  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#flush()
  }

  /** Resolves when everything that was added before is stored; rejects if the database is unavailable. */
  written(): Promise<void> {
    return this.#flush()
  }

  async #step(): Promise<number> {
    if (this.#updates.size === 0 && this.#ends.length === 0) return idleMs
    const waitMs = this.#lastFlushMs + gatherMs - performance.now()
    if (waitMs > 0) return waitMs
    this.#lastFlushMs = performance.now()
    await this.#flush()
    return 0
  }

  /** Flushes run one after the other, so that what an earlier one has taken is stored too. */
  #flush(): Promise<void> {
    this.#flushing = this.#flushing.catch(() => {}).then(() => this.#flushOnce())
    return this.#flushing
  }

  /** Updates before ends: no update is accepted after a call has ended. */
  async #flushOnce(): Promise<void> {
    const ends = this.#ends.length
    if (this.#updates.size > 0) await this.#writeUpdates()
    if (ends > 0) await this.#writeEnds(ends)
  }

  async #writeUpdates(): Promise<void> {
    const writing = this.#updates
    this.#updates = new Map()
    try {
      await writeEvents(this.#db, [...writing.values()])
    } catch (error) {
      if (!isBadData(error)) {
        this.#updates = new Map([...writing, ...this.#updates])
        throw error
      }
      this.#log.error({ err: error, updates: writing.size }, 'call updates could not be stored')
    }
  }

  /** Ends stay on the list until they are stored; more may be appended meanwhile. */
  async #writeEnds(count: number): Promise<void> {
    const ends = this.#ends.slice(0, count)
    try {
      await finishCalls(this.#db, ends, this.#eventDelaySeconds)
    } catch (error) {
      if (!isBadData(error)) throw error
      this.#log.error({ err: error }, 'ended calls could not be stored as a batch')
      for (const end of ends) await this.#writeBare(end)
    }
    this.#ends.splice(0, count)
  }

  /** Writes ends one by one, and without the transcript if that cannot be stored. */
  async #writeBare(end: EndOfCall): Promise<void> {
    const bare = { ...end, transcript: [], errorMessage: 'The record of this call could not be stored.' }
    await finishCalls(this.#db, [end], this.#eventDelaySeconds).catch((error) => {
      if (!isBadData(error)) throw error
      return finishCalls(this.#db, [bare], this.#eventDelaySeconds)
    })
  }

  #makeRoom(): void {
    const before = this.#updates.size
    for (const [name, { type }] of this.#updates) if (type === 'partial') this.#updates.delete(name)
    for (const [name, { type }] of this.#updates) {
      if (this.#updates.size <= mostUpdates / 2) break
      if (type !== 'status') this.#updates.delete(name)
    }
    this.#log.warn(
      { dropped: before - this.#updates.size },
      'call updates dropped: the database is unavailable',
    )
  }
}
