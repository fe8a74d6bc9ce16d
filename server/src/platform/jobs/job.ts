// The description of a kind of job. The engine in this folder does the rest.
import type { Db } from '../db/db.ts'

/** The table of the backlog: a row is a job. It has `due_at`, `claimed_by`, and an index over (lane, order). */
export interface JobTable {
  readonly table: string
  /** The primary key, a uuid. */
  readonly id: string
  /** The column whose values are the lanes. Absent: the table is one lane. */
  readonly lane?: string
  /**
   * SQL that selects the workspace of a lane, if a workspace may have several: they share its turn. Absent: every
   * lane has a turn of its own.
   */
  readonly tenant?: (lane: string) => string
  /** Which rows are pending jobs, as in the predicate of the index. Absent: all of them. */
  readonly waiting?: string
  /** The order within a lane, as in the index. Default: `due_at`. */
  readonly order?: readonly string[]
  /** Whose turn is next: round robin, or the workspace with the fewest jobs in progress. Default: round robin. */
  readonly turns?: 'in-turn' | 'fewest-first'
  /** Claims the oldest of a lane first. Not worth the sort if a claim usually takes all that the lane may have. */
  readonly oldestFirst?: boolean
  /** The column that counts attempts begun, including those that ended with their process. */
  readonly triesColumn?: string
  /** Of the jobs that were attempted before, only one runs at a time: it may be what killed its process. */
  readonly suspectsAlone?: boolean
  /** What else changes in the row when it is claimed, and when it is released, such as `status = 'queued'`. */
  readonly onClaim?: string
  readonly onRelease?: string
  /** The columns that `run` needs, from the row `d`. */
  readonly returning: string
  /** Further columns, from tables joined to the claimed row `c`. */
  readonly joined?: { readonly columns: string; readonly from: string }
}

/** Every claimed row has these, whatever the columns are called in its table. */
export interface JobRow {
  readonly job_id: string
  readonly job_lane: string
  /** Including this attempt; 0 if the engine does not count attempts. */
  readonly job_tries: number
}

export interface Caps {
  /** Concurrent jobs of this process. */
  readonly process: number
  /** Concurrent jobs of one lane, across all processes. */
  readonly lane: number
  /** Jobs per claim. Default: as many as there is room for. */
  readonly claim?: number
  /** With less room than this, it is cheaper to wait for more. */
  readonly worthClaiming?: number
  /** How long to wait, after a job has ended, for others to end before claiming more. */
  readonly gatherMs?: number
  /** While jobs are running: poll at this interval, instead of querying when the next one is due. */
  readonly lookMs?: number
}

/** For jobs whose attempts the engine counts: when to retry, and the result of one that is given up. */
export interface Retry<Result> {
  readonly mostTries: number
  delayMs(tries: number): number
  /** True if another attempt would not help. */
  isPermanent?(error: unknown): boolean
  /** `error` is what the last attempt threw, or an OwnerDied. */
  giveUp(error: unknown): Result
}

export interface SettledRow<Result> {
  readonly id: string
  /** The claimant of the row. A result counts only while that claim holds. */
  readonly claimantId: number
  readonly result: Result
}

/** What a statement may claim for a process. */
export interface ClaimLimits {
  readonly claimantId: number
  readonly most: number
  readonly mostPerLane: number
  /** Jobs of ours that have ended but are not stored yet: they do not count towards their lane. */
  readonly ended: readonly string[]
}

/** Inserts jobs and claims some of them within the limits. */
export type Insert<Inserted> = (limits: ClaimLimits) => Promise<Inserted>

export interface JobRun {
  readonly claimantId: number
  /** Aborted when the process has drained long enough, or when the row is no longer ours. */
  readonly signal: AbortSignal
}

export interface Job<Row, Result> {
  /** Used in log lines and metrics. */
  readonly name: string
  readonly table: JobTable
  readonly caps: Caps
  /**
   * Absent: the job counts its own attempts. If it throws, that is a bug of ours: it is delayed, but loses no attempt.
   */
  readonly retry?: Retry<Result>
  /** The delay after such a bug. */
  readonly faultDelayMs?: number
  /** How long running jobs may continue when the process stops; then they are released. Absent: until they end. */
  readonly drainMs?: number
  run(row: Row & JobRow, run: JobRun): Promise<Result>
  /** Stores results, in batches. Called again if the database was unavailable. */
  settle(db: Db, settled: readonly SettledRow<Result>[]): Promise<unknown>
  /** The outcome, for metrics. Default: 'done'. */
  outcomeOf?(result: Result): string
  readonly heartbeat?: Heartbeat
}

export interface Heartbeat {
  readonly everyMs: number
  /** Returns those of these jobs that are still ours; the others are aborted. */
  beat(db: Db, held: ReadonlyMap<string, number>): Promise<ReadonlySet<string>>
}

/**
 * Work that is looked for periodically instead of being claimed row by row. It may run in several processes at once.
 */
export interface Sweep {
  readonly name: string
  readonly everyMs: number
  readonly afterErrorMs: number
  /** A notification channel that announces work. */
  readonly notice?: string
  /** Returns milliseconds until the next run, 0 if there is more to do; at most `everyMs`. */
  run(): Promise<number>
}

/** How an attempt ended that left no result, for metrics: retried, given up, a bug of ours, or broken off. */
export const endsWithoutResult = ['failed', 'given up', 'faulty', 'stopping', 'gone'] as const

/** The process that ran the job died in each of its attempts. */
export class OwnerDied extends Error {
  constructor() {
    super('the process that worked on it died')
  }
}

/** Says for users why a job failed; `unexplained` is for an error without a message. */
export function sentenceOf(error: unknown, unexplained: string): string {
  const message = error instanceof Error ? error.message.trim() : ''
  const sentence = message === '' ? unexplained : message
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.!?]$/.test(sentence) ? '' : '.'}`
}

/** Why a job was aborted: the process stops, or the row was deleted or claimed by another process. */
export class BrokenOff extends Error {
  readonly why: 'stopping' | 'gone'

  constructor(why: 'stopping' | 'gone') {
    super(`broken off: ${why}`)
    this.why = why
  }
}
