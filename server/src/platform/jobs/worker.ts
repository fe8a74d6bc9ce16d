// Runs one kind of job: claims what is due, runs it, stores the results.
//
// One loop claims, another stores results (result-writer.ts), and any number of jobs run in between. A claim takes
// everything that became possible while the last one waited for the database, so the higher the load, the fewer
// statements per job.
import type { Claimant } from '../db/claim.ts'
import type { Db } from '../db/db.ts'
import { LazyAbort } from '../lazy-abort.ts'
import type { Log } from '../log.ts'
import { type Loop, startLoop } from '../loop.ts'
import {
  BrokenOff,
  type endsWithoutResult,
  type Insert,
  type Job,
  type JobRow,
  type JobRun,
  OwnerDied,
} from './job.ts'
import { ResultWriter } from './result-writer.ts'
import { type Queue, queueOf, servedLast } from './statements.ts'

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
// After a claim that found nothing, the next one waits this many times as long for jobs to end: it would most likely
// find nothing again, and a notice announces new rows.
const lazily = 3
// A bug of ours is not fixed by retrying immediately.
const usualFaultDelayMs = 5_000

/** A job in progress; aborted to break it off. */
class UnderWay extends LazyAbort implements JobRun {
  readonly claimantId: number
  over: Promise<void> = Promise.resolve()

  constructor(claimantId: number) {
    super()
    this.claimantId = claimantId
  }
}

export class JobWorker<Row, Result> {
  readonly #job: Job<Row, Result>
  readonly #options: JobsOptions
  readonly #queue: Queue<Row>
  readonly #underWay = new Map<string, UnderWay>()
  readonly #inLane = new Map<string, number>()
  readonly #results: ResultWriter<Row, Result>
  /** Inserts whose claims are not known here yet. */
  readonly #inserting = new Set<Promise<unknown>>()
  #recovering: Promise<unknown> = Promise.resolve()
  #isStopping = false
  #lastTenant: string | null = null
  #lastRecoveryMs = Number.NEGATIVE_INFINITY
  #gathering: NodeJS.Timeout | undefined
  #foundNone = false
  readonly #claimer: Loop
  readonly #heart: Loop | undefined

  constructor(job: Job<Row, Result>, options: JobsOptions) {
    this.#job = job
    this.#options = options
    this.#queue = queueOf(job.table)
    const afterError = (err: unknown) => {
      options.log.warn({ err, job: job.name }, 'jobs wait for the database')
      return brokenMs
    }
    this.#results = new ResultWriter(job, this.#queue, options, afterError)
    this.#claimer = startLoop(() => this.#take(), afterError)
    this.#heart = job.heartbeat && startLoop(() => this.#beat(), afterError)
  }

  /** The jobs in progress in this process, and the places of the lanes they are in. */
  get occupied(): { readonly jobs: number; readonly places: number } {
    return { jobs: this.#underWay.size, places: this.#inLane.size * this.#job.caps.lane }
  }

  /** Call it when there may be jobs due. */
  wake = (): void => this.#claimer.wake()

  /**
   * Runs a statement that inserts jobs and may claim some of them for this process right away, as far as there is room:
   * these start without a claim of their own.
   */
  async insert<Inserted extends { readonly claimed: readonly (Row & JobRow)[] }>(
    insert: Insert<Inserted>,
  ): Promise<Inserted> {
    await this.#recovering
    const { claimant } = this.#options
    const { process, lane } = this.#job.caps
    const claimantId = claimant.id
    const isAllowed = claimant.alive && !this.#isStopping
    const most = isAllowed ? Math.max(0, process - this.#underWay.size) : 0
    const inserted = insert({ claimantId, most, mostPerLane: lane, ended: this.#results.ids }).then(
      (made) => {
        for (const row of made.claimed) this.#launch(row, claimantId)
        return made
      },
    )
    const known = inserted.catch(() => {}).finally(() => this.#inserting.delete(known))
    this.#inserting.add(known)
    return inserted
  }

  /** Stops claiming. Running jobs end, or are released if they take too long, and results are stored. */
  async stop(): Promise<void> {
    const { drainMs } = this.#job
    await this.#claimer.stop()
    this.#isStopping = true
    await Promise.all(this.#inserting)
    clearTimeout(this.#gathering)
    const timeout =
      drainMs === undefined
        ? undefined
        : setTimeout(() => {
            for (const underWay of this.#underWay.values()) underWay.abort(new BrokenOff('stopping'))
          }, drainMs)
    await Promise.all([...this.#underWay.values()].map(({ over }) => over))
    clearTimeout(timeout)
    await this.#heart?.stop()
    await this.#results.stop()
  }

  /** Claims what is due, as far as there is room; returns after how many milliseconds to look again. */
  async #take(): Promise<number> {
    const { db, claimant } = this.#options
    if (!claimant.alive) return idleMs
    await this.#recover()
    const { process, lane, claim = process, worthClaiming = 1, lookMs } = this.#job.caps
    const room = process - this.#underWay.size
    if (room >= worthClaiming) {
      const most = Math.min(room, claim)
      const claimantId = claimant.id
      const ended = this.#results.ids
      const limits = { claimantId, most, mostPerLane: lane, ended }
      const rows = await this.#queue.claim(db, { ...limits, after: this.#lastTenant })
      for (const row of rows) this.#launch(row, claimantId)
      this.#foundNone = rows.length === 0
      this.#lastTenant = servedLast(rows, this.#lastTenant)
      if (rows.length === most) return 0
    }
    if (lookMs !== undefined && this.#underWay.size > 0) return lookMs
    return Math.min(idleMs, Math.max(0, (await this.#queue.untilNext(db)) ?? idleMs))
  }

  #launch(row: Row & JobRow, claimantId: number): void {
    const underWay = new UnderWay(claimantId)
    underWay.over = this.#attempt(row, underWay).finally(() => {
      this.#underWay.delete(row.job_id)
      this.#count(row.job_lane, -1)
      this.#gather()
    })
    this.#underWay.set(row.job_id, underWay)
    this.#count(row.job_lane, 1)
  }

  #count(lane: string, by: 1 | -1): void {
    const jobs = (this.#inLane.get(lane) ?? 0) + by
    if (jobs === 0) this.#inLane.delete(lane)
    else this.#inLane.set(lane, jobs)
  }

  /** There is room again. Other jobs may end at the same moment; one claim serves all of them. */
  #gather(): void {
    const { gatherMs = 0 } = this.#job.caps
    this.#gathering ??= setTimeout(
      () => {
        this.#gathering = undefined
        this.#claimer.wake()
      },
      this.#foundNone ? lazily * gatherMs : gatherMs,
    )
  }

  async #attempt(row: Row & JobRow, underWay: UnderWay): Promise<void> {
    const { name, outcomeOf } = this.#job
    const startedMs = performance.now()
    const observe = (outcome: string) =>
      this.#options.observe?.(name, outcome, (performance.now() - startedMs) / 1000)
    try {
      const result = await this.#job.run(row, underWay)
      this.#results.settle(row.job_id, underWay.claimantId, result)
      observe(outcomeOf?.(result) ?? 'done')
    } catch (error) {
      observe(this.#endFailed(row, underWay, error))
    }
  }

  /** Retries or gives up a job that threw. */
  #endFailed(
    { job_id: id, job_tries: tries }: JobRow,
    underWay: UnderWay,
    error: unknown,
  ): (typeof endsWithoutResult)[number] {
    const { name, retry, faultDelayMs = usualFaultDelayMs } = this.#job
    const release = (delayMs: number, counted: boolean) =>
      this.#results.release({ id, claimantId, delayMs, counted })
    const { claimantId } = underWay
    const reason: unknown = underWay.aborted && underWay.signal.reason
    if (reason instanceof BrokenOff) {
      if (reason.why === 'stopping') release(0, false)
      return reason.why
    }
    if (!retry) {
      this.#options.log.error({ err: error, job: name, id }, 'job threw an unexpected error')
      release(faultDelayMs, false)
      return 'faulty'
    }
    const isLast = tries >= retry.mostTries || retry.isPermanent?.(error) === true
    this.#options.log[isLast ? 'info' : 'warn']({ err: error, job: name, id, tries }, 'job failed')
    if (isLast) this.#results.settle(id, claimantId, retry.giveUp(error))
    else release(retry.delayMs(tries), true)
    return isLast ? 'given up' : 'failed'
  }

  async #recover(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - this.#lastRecoveryMs < idleMs || !this.#options.claimant.mayJudge) return
    const recovery = this.#recoverLost()
    this.#recovering = recovery.catch(() => {})
    await recovery
    this.#lastRecoveryMs = nowMs
  }

  async #recoverLost(): Promise<void> {
    // What an insert has claimed and not reported yet would look like a claim of ours that nobody knows of.
    await Promise.all(this.#inserting)
    const { db, claimant } = this.#options
    const { caps, retry } = this.#job
    const held = [...this.#underWay.keys(), ...this.#results.ids]
    const lost = { claimantId: claimant.id, held, mostPerLane: caps.lane }
    await this.#queue.recover(db, retry ? { ...lost, mostTries: retry.mostTries } : lost)
    if (!retry) return
    for (const { id, claimantId } of await this.#queue.deadly(db, lost, retry.mostTries))
      this.#results.settle(id, claimantId, retry.giveUp(new OwnerDied()))
  }

  async #beat(): Promise<number> {
    const { heartbeat } = this.#job
    if (!heartbeat || this.#underWay.size === 0) return idleMs
    const held = new Map([...this.#underWay].map(([id, { claimantId }]) => [id, claimantId]))
    const ours = await heartbeat.beat(this.#options.db, held)
    for (const id of held.keys()) if (!ours.has(id)) this.#underWay.get(id)?.abort(new BrokenOff('gone'))
    return heartbeat.everyMs
  }
}
