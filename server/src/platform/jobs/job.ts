// What a kind of job is: a description. The engine in this folder does the rest.
import type { Db } from '../db/db.ts'

/** The table that is the backlog: a row is a job. It has `due_at`, `claimed_by`, and an index over (lane, order). */
export interface JobTable {
  readonly table: string
  /** The primary key, a uuid. */
  readonly id: string
  /** The column whose values take turns. Absent: the table is one lane. */
  readonly lane?: string
  /** Which rows are jobs that still have to be done, as the predicate of the index says it. Absent: all of them. */
  readonly waiting?: string
  /** The order inside a lane, as in the index; `due_at` unless given. */
  readonly order?: readonly string[]
  /** Which lane is served first: each in turn, or the one with the fewest jobs under way. Each in turn unless given. */
  readonly turns?: 'in-turn' | 'fewest-first'
  /** Takes the oldest of a lane first. Not worth its sort where a claim usually takes all that the lane may have. */
  readonly oldestFirst?: boolean
  /** Counts the attempts that were begun, also those that ended with their process. */
  readonly triesColumn?: string
  /** Of the jobs that were tried before, only one is under way at a time: it may be what killed its process. */
  readonly suspectsAlone?: boolean
  /** What else changes in the row when it is claimed, and when it is given back, as in `status = 'queued'`. */
  readonly onClaim?: string
  readonly onRelease?: string
  /** The columns that `run` needs, of the row `d`. */
  readonly returning: string
  /** More columns, from tables joined to the claimed row `c`. */
  readonly joined?: { readonly columns: string; readonly from: string }
}

/** Every claimed row has these, whatever its table calls them. */
export interface JobRow {
  readonly job_id: string
  readonly job_lane: string
  /** This attempt included; 0 where attempts are not counted by the engine. */
  readonly job_tries: number
}

export interface Caps {
  /** Jobs of this process under way at a time. */
  readonly process: number
  /** Jobs of one lane under way at a time, over all processes. */
  readonly lane: number
  /** Jobs in one claim. As many as there is room for unless given. */
  readonly claim?: number
  /** With less room than this it is cheaper to wait for more. */
  readonly worthClaiming?: number
  /** How long to wait, after a job has ended, for others to end before more are claimed. */
  readonly gatherMs?: number
  /** While jobs are under way: look this often for more, instead of asking when the next one falls due. */
  readonly lookMs?: number
}

/** For jobs whose attempts the engine counts: when to try again, and what is left of one that is given up. */
export interface Retry<Result> {
  readonly mostTries: number
  delayMs(tries: number): number
  /** True when another attempt would not help. */
  isHopeless?(error: unknown): boolean
  /** `error` is what the last attempt threw, or an OwnerDied. */
  giveUp(error: unknown): Result
}

export interface Settled<Result> {
  readonly id: string
  /** Who claimed the row. A result counts only while that claim stands. */
  readonly claimantId: number
  readonly result: Result
}

export interface Run {
  readonly claimantId: number
  /** Aborted when the process has drained long enough, or the row is no longer ours. */
  readonly signal: AbortSignal
}

export interface Job<Row, Result> {
  /** In log lines and metrics. */
  readonly name: string
  readonly table: JobTable
  readonly caps: Caps
  /** Absent: the job counts its attempts itself, and one that throws is our own fault: it costs a delay, not a try. */
  readonly retry?: Retry<Result>
  /** The delay after a fault of our own. */
  readonly faultDelayMs?: number
  /** How long jobs under way may go on when the process stops; then they are given back. Absent: to their end. */
  readonly drainMs?: number
  run(row: Row & JobRow, run: Run): Promise<Result>
  /** Writes results down. Called with whatever has gathered, again if the database was away. */
  settle(db: Db, settled: readonly Settled<Result>[]): Promise<unknown>
  /** How it went, for metrics: 'done' unless given. */
  outcomeOf?(result: Result): string
  readonly heartbeat?: Heartbeat
}

export interface Heartbeat {
  readonly everyMs: number
  /** Which of these jobs are still ours; those that are not are aborted. */
  beat(db: Db, held: ReadonlyMap<string, number>): Promise<ReadonlySet<string>>
}

/** Work that is looked for now and then rather than claimed row by row. Safe in several processes at a time. */
export interface Sweep {
  readonly name: string
  readonly everyMs: number
  readonly afterErrorMs: number
  /** A channel of the database that says there may be something to do. */
  readonly notice?: string
  /** Milliseconds until the next look, 0 when there is more to do; `everyMs` at most. */
  run(): Promise<number>
}

/** The process that worked on it died as often as it was tried. */
export class OwnerDied extends Error {
  constructor() {
    super('the process that worked on it died')
  }
}

/** Why a job was broken off: the process stops, or the row was deleted or given to another process. */
export class BrokenOff extends Error {
  readonly why: 'stopping' | 'gone'

  constructor(why: 'stopping' | 'gone') {
    super(`broken off: ${why}`)
    this.why = why
  }
}
