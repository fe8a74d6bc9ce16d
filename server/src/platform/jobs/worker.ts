// Runs one kind of job: claims what is due, runs it, stores the results.
//
// One loop claims, another stores results, and any number of jobs run in between. Each loop handles everything that
// arrived while it waited for the database, so the higher the load, the fewer statements per job.
import type { Claimant } from '../db/claim.ts'
import { type Db, isBadData } from '../db/db.ts'
import type { Log } from '../log.ts'
import { type Loop, startLoop } from '../loop.ts'
import { BrokenOff, type Job, type JobRow, OwnerDied, type Settled } from './job.ts'
import { type Queue, queueOf, type Release } from './statements.ts'

export interface JobsOptions {
  readonly db: Db
  readonly log: Log
  readonly claimant: Claimant
  /** Called after every attempt. */
  readonly observe?: (job: string, outcome: string, seconds: number) => void
}

// Poll interval while nothing is known to be due: for lost claims, and for work whose notification was missed.
const idleMs = 1_000
// Delay after a database failure.
const brokenMs = 250
// A bug of ours is not fixed by retrying immediately.
const usualFaultDelayMs = 5_000

interface UnderWay {
  readonly claimantId: number
  readonly end: AbortController
  readonly over: Promise<void>
}

/** To be stored: a result, or that the job returns to the backlog. */
type Ended<Result> =
  | { readonly is: 'settled'; readonly settled: Settled<Result> }
  | { readonly is: 'released'; readonly release: Release; readonly atMs: number }

export class JobWorker<Row, Result> {
  private readonly job: Job<Row, Result>
  private readonly options: JobsOptions
  private readonly queue: Queue<Row>
  private readonly underWay = new Map<string, UnderWay>()
  /** Ended jobs that are not stored yet, and those being stored. */
  private ended: Ended<Result>[] = []
  private writing: readonly Ended<Result>[] = []
  private lastLane: string | null = null
  private lastRecoveryMs = Number.NEGATIVE_INFINITY
  private gathering: NodeJS.Timeout | undefined
  private readonly claimer: Loop
  private readonly writer: Loop
  private readonly heart: Loop | undefined

  constructor(job: Job<Row, Result>, options: JobsOptions) {
    this.job = job
    this.options = options
    this.queue = queueOf(job.table)
    const afterError = (err: unknown) => {
      options.log.warn({ err, job: job.name }, 'jobs wait for the database')
      return brokenMs
    }
    this.claimer = startLoop(() => this.take(), afterError)
    this.writer = startLoop(() => this.writeDown(), afterError)
    this.heart = job.heartbeat && startLoop(() => this.beat(), afterError)
  }

  /** Call it when there may be jobs due. */
  wake = (): void => this.claimer.wake()

  /** Stops claiming. Running jobs end, or are released if they take too long, and results are stored. */
  async stop(): Promise<void> {
    const { drainMs } = this.job
    await this.claimer.stop()
    clearTimeout(this.gathering)
    const timeout =
      drainMs === undefined
        ? undefined
        : setTimeout(() => {
            for (const { end } of this.underWay.values()) end.abort(new BrokenOff('stopping'))
          }, drainMs)
    await Promise.all([...this.underWay.values()].map(({ over }) => over))
    clearTimeout(timeout)
    await this.heart?.stop()
    await this.writer.stop()
    await this.writeDown().catch((err) =>
      this.options.log.warn({ err, job: this.job.name }, 'job results not stored'),
    )
  }

  /** Claims what is due, as far as there is room; returns after how many milliseconds to look again. */
  private async take(): Promise<number> {
    const { db, claimant } = this.options
    if (!claimant.alive) return idleMs
    await this.recover()
    const { process, lane, claim = process, worthClaiming = 1, lookMs } = this.job.caps
    const room = process - this.underWay.size
    if (room >= worthClaiming) {
      const most = Math.min(room, claim)
      const claimantId = claimant.id
      const ended = this.endedIds
      const rows = await this.queue.claim(db, {
        claimantId,
        after: this.lastLane,
        most,
        mostPerLane: lane,
        ended,
      })
      for (const row of rows) this.launch(row, claimantId)
      this.lastLane = rows.at(-1)?.job_lane ?? this.lastLane
      if (rows.length === most) return 0
    }
    if (lookMs !== undefined && this.underWay.size > 0) return lookMs
    return Math.min(idleMs, Math.max(0, (await this.queue.untilNext(db)) ?? idleMs))
  }

  private launch(row: Row & JobRow, claimantId: number): void {
    const end = new AbortController()
    const over = this.attempt(row, claimantId, end.signal).finally(() => {
      this.underWay.delete(row.job_id)
      this.writer.wake()
      this.gather()
    })
    this.underWay.set(row.job_id, { claimantId, end, over })
  }

  /** There is room again. Other jobs may end at the same moment; one claim serves all of them. */
  private gather(): void {
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined
      this.claimer.wake()
    }, this.job.caps.gatherMs ?? 0)
  }

  private async attempt(row: Row & JobRow, claimantId: number, signal: AbortSignal): Promise<void> {
    const { name, outcomeOf } = this.job
    const startedMs = performance.now()
    const observe = (outcome: string) =>
      this.options.observe?.(name, outcome, (performance.now() - startedMs) / 1000)
    try {
      const result = await this.job.run(row, { claimantId, signal })
      this.settle(row.job_id, claimantId, result)
      observe(outcomeOf?.(result) ?? 'done')
    } catch (error) {
      observe(this.endFailed(row, claimantId, signal, error))
    }
  }

  /** Retries or gives up a job that threw. */
  private endFailed(
    { job_id: id, job_tries: tries }: JobRow,
    claimantId: number,
    signal: AbortSignal,
    error: unknown,
  ): string {
    const { name, retry, faultDelayMs = usualFaultDelayMs } = this.job
    const release = (delayMs: number, counted: boolean) =>
      this.ended.push({
        is: 'released',
        release: { id, claimantId, delayMs, counted },
        atMs: performance.now(),
      })
    if (signal.aborted && signal.reason instanceof BrokenOff) {
      if (signal.reason.why === 'stopping') release(0, false)
      return signal.reason.why
    }
    if (!retry) {
      this.options.log.error({ err: error, job: name, id }, 'job threw an unexpected error')
      release(faultDelayMs, false)
      return 'faulty'
    }
    const isLast = tries >= retry.mostTries || retry.isPermanent?.(error) === true
    this.options.log[isLast ? 'info' : 'warn']({ err: error, job: name, id, tries }, 'job failed')
    if (isLast) this.settle(id, claimantId, retry.giveUp(error))
    else release(retry.delayMs(tries), true)
    return isLast ? 'given up' : 'failed'
  }

  private settle(id: string, claimantId: number, result: Result): void {
    this.ended.push({ is: 'settled', settled: { id, claimantId, result } })
  }

  private async writeDown(): Promise<number> {
    if (this.ended.length === 0) return idleMs
    this.writing = this.ended
    this.ended = []
    let left = this.writing
    try {
      const releases = left.filter((one) => one.is === 'released')
      if (releases.length > 0) await this.queue.release(this.options.db, releases.map(overdue))
      const results = left.filter((one) => one.is === 'settled')
      left = results
      if (results.length > 0) await this.writeResults(results.map(({ settled }) => settled))
      left = []
    } finally {
      // Kept until the database is back; results count as long as the claim holds.
      this.ended.unshift(...left)
      this.writing = []
    }
    return 0
  }

  /**
   * A result that the database rejects must not keep the others from being stored. It is dropped, as if its owner had
   * died: the row is recovered within a second and retried as often as allowed.
   */
  private async writeResults(settled: readonly Settled<Result>[]): Promise<void> {
    const { db, log } = this.options
    try {
      await this.job.settle(db, settled)
    } catch (error) {
      if (!isBadData(error)) throw error
      if (settled.length > 1) for (const one of settled) await this.writeResults([one])
      else
        log.error(
          { err: error, job: this.job.name, id: settled[0]?.id },
          'job result rejected by the database',
        )
    }
  }

  private get endedIds(): string[] {
    return [...this.writing, ...this.ended].map((one) =>
      one.is === 'settled' ? one.settled.id : one.release.id,
    )
  }

  private async recover(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - this.lastRecoveryMs < idleMs) return
    const { db, claimant } = this.options
    const { caps, retry } = this.job
    const held = [...this.underWay.keys(), ...this.endedIds]
    const lost = { claimantId: claimant.id, held, mostPerLane: caps.lane }
    await this.queue.recover(db, retry ? { ...lost, mostTries: retry.mostTries } : lost)
    if (retry) {
      for (const { id, claimantId } of await this.queue.deadly(db, lost, retry.mostTries))
        this.settle(id, claimantId, retry.giveUp(new OwnerDied()))
      this.writer.wake()
    }
    this.lastRecoveryMs = nowMs
  }

  private async beat(): Promise<number> {
    const { heartbeat } = this.job
    if (!heartbeat || this.underWay.size === 0) return idleMs
    const held = new Map([...this.underWay].map(([id, { claimantId }]) => [id, claimantId]))
    const ours = await heartbeat.beat(this.options.db, held)
    for (const id of held.keys()) if (!ours.has(id)) this.underWay.get(id)?.end.abort(new BrokenOff('gone'))
    return heartbeat.everyMs
  }
}

/** The delay counts from the end of the attempt, not from when it is stored. */
const overdue = ({ release, atMs }: { release: Release; atMs: number }): Release => ({
  ...release,
  delayMs: Math.max(0, release.delayMs - (performance.now() - atMs)),
})
