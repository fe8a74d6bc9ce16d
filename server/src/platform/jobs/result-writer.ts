// Stores what ended jobs leave: results, and jobs that return to the backlog.
//
// Whatever ends while the database is busy with the last batch goes into the next one, so the higher the load, the
// fewer statements per job.
import { type Db, isBadData } from '../db/db.ts'
import type { Log } from '../log.ts'
import { type Loop, startLoop } from '../loop.ts'
import type { Job, SettledRow } from './job.ts'
import type { Queue, Release } from './statements.ts'

// The pause while there is nothing to store; the next job that ends wakes the loop.
const idleMs = 1_000

type EndedRun<Result> =
  | { readonly is: 'settled'; readonly settled: SettledRow<Result> }
  | { readonly is: 'released'; readonly release: Release; readonly atMs: number }

export class ResultWriter<Row, Result> {
  readonly #job: Job<Row, Result>
  readonly #queue: Queue<Row>
  readonly #db: Db
  readonly #log: Log
  readonly #loop: Loop
  /** Results that are not stored yet, and those that are being stored. */
  #waiting: EndedRun<Result>[] = []
  #writing: readonly EndedRun<Result>[] = []

  constructor(
    job: Job<Row, Result>,
    queue: Queue<Row>,
    { db, log }: { readonly db: Db; readonly log: Log },
    afterError: (error: unknown) => number,
  ) {
    this.#job = job
    this.#queue = queue
    this.#db = db
    this.#log = log
    this.#loop = startLoop(() => this.#write(), afterError)
  }

  settle(id: string, claimantId: number, result: Result): void {
    this.#waiting.push({ is: 'settled', settled: { id, claimantId, result } })
    this.#loop.wake()
  }

  release(release: Release): void {
    this.#waiting.push({ is: 'released', release, atMs: performance.now() })
    this.#loop.wake()
  }

  /** Jobs that have ended and may not be stored yet. */
  get ids(): string[] {
    return [...this.#writing, ...this.#waiting].map((one) =>
      one.is === 'settled' ? one.settled.id : one.release.id,
    )
  }

  /** Stores what is left, in one attempt. */
  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#write().catch((err) => this.#log.warn({ err, job: this.#job.name }, 'job results not stored'))
  }

  async #write(): Promise<number> {
    if (this.#waiting.length === 0) return idleMs
    this.#writing = this.#waiting
    this.#waiting = []
    let left = this.#writing
    try {
      const releases = left.filter((one) => one.is === 'released')
      if (releases.length > 0) await this.#queue.release(this.#db, releases.map(overdue))
      const results = left.filter((one) => one.is === 'settled')
      left = results
      if (results.length > 0) await this.#writeResults(results.map(({ settled }) => settled))
      left = []
    } finally {
      // Kept until the database is back; results count as long as the claim holds.
      this.#waiting.unshift(...left)
      this.#writing = []
    }
    return 0
  }

  /**
   * A result that the database rejects must not keep the others from being stored. It is dropped, as if its owner had
   * died: the row is recovered within a second and retried as often as allowed.
   */
  async #writeResults(settled: readonly SettledRow<Result>[]): Promise<void> {
    try {
      await this.#job.settle(this.#db, settled)
    } catch (error) {
      if (!isBadData(error)) throw error
      if (settled.length > 1) for (const one of settled) await this.#writeResults([one])
      else
        this.#log.error(
          { err: error, job: this.#job.name, id: settled[0]?.id },
          'job result rejected by the database',
        )
    }
  }
}

/** The delay counts from the end of the attempt, not from when it is stored. */
const overdue = ({ release, atMs }: { release: Release; atMs: number }): Release => ({
  ...release,
  delayMs: Math.max(0, release.delayMs - (performance.now() - atMs)),
})
