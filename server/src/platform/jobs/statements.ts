// The SQL for a job's table, generated once from its description.
//
// Every statement uses the index of pending rows or the id, whatever the planner believes about the size of the table:
// decision 0009. A claim holds until the row is released; there is no lease that could expire during a job, because a
// claimant that dies loses its lock immediately (../db/claim.ts).
import { liveClaimants } from '../db/claim.ts'
import { type Queries, type Statement, statement } from '../db/db.ts'
import type { ClaimLimits, JobRow, JobTable } from './job.ts'

export interface Claim extends ClaimLimits {
  /** The tenant served last, null at first. */
  readonly after: string | null
}

/** A job that returns to the backlog. */
export interface Release {
  readonly id: string
  readonly claimantId: number
  readonly delayMs: number
  /** False: the attempt is not counted. */
  readonly counted: boolean
}

export interface LostJob {
  readonly id: string
  readonly claimantId: number
}

export interface ClaimedJob extends JobRow {
  /** Whose turn it was: the workspace of the lane, or the lane itself. */
  readonly job_tenant: string
}

export interface Queue<Row> {
  claim(db: Queries, claim: Claim): Promise<(Row & ClaimedJob)[]>
  /** Releases rows that no process works on: those of dead claimants, and ours that we do not know of (`held`). */
  recover(db: Queries, lost: LostClaims): Promise<unknown>
  /** Returns such rows whose process died in every attempt; they are not released. */
  deadly(db: Queries, lost: LostClaims, mostTries: number): Promise<LostJob[]>
  release(db: Queries, releases: readonly Release[]): Promise<unknown>
  /** Milliseconds until the next job is due; undefined if none is scheduled. */
  untilNext(db: Queries): Promise<number | undefined>
}

export interface LostClaims {
  readonly claimantId: number
  readonly held: readonly string[]
  readonly mostPerLane: number
  /** Rows attempted this often are left to `deadly`. */
  readonly mostTries?: number
}

export function queueOf<Row>(description: JobTable): Queue<Row> {
  const sql = statementsOf(description)
  return {
    claim: (db, { claimantId, after, most, mostPerLane, ended }) =>
      db.rows(sql.claim, [claimantId, after, most, mostPerLane, ended]),
    recover: (db, { claimantId, held, mostPerLane, mostTries = null }) =>
      db.rows(sql.recover, [claimantId, held, mostPerLane, mostTries]),
    deadly: (db, { claimantId, held, mostPerLane }, mostTries) =>
      db.rows(sql.deadly, [claimantId, held, mostPerLane, mostTries]),
    release: (db, releases) =>
      db.rows(sql.release, [
        releases.map(({ id }) => id),
        releases.map(({ claimantId }) => claimantId),
        releases.map(({ delayMs }) => delayMs),
        releases.map(({ counted }) => (counted ? 0 : 1)),
      ]),
    async untilNext(db) {
      const row = await db.row<{ ms: string | null }>(sql.untilNext)
      return row?.ms == null ? undefined : Number(row.ms)
    },
  }
}

function statementsOf(job: JobTable): Record<keyof Queue<unknown>, Statement> {
  const { table, id, lane, waiting = 'true', order = ['due_at'], triesColumn: tries } = job
  const lanes = lanesOf(job)
  const inLane = lane ? `w.${lane} = lanes.lane AND` : ''
  const by = (alias: string) => order.map((column) => `${alias}.${column}`).join(', ')

  // The rows of a lane that may be in progress: those due longest, claimed or not. A retry that falls due takes its
  // place by age, so the cap can be exceeded briefly by a few.
  const window = (except = '') =>
    `FROM ${table} w WHERE ${inLane} ${waiting} AND w.due_at <= now() ${except} ORDER BY ${by('w')} LIMIT`

  // Looked at again when the row is locked: since the snapshot, another process may have claimed it and even ended
  // it. In a CASE, because the planner would go by the index of pending rows rather than by the id.
  const isStillWaiting = `CASE WHEN d.claimed_by IS NULL THEN ${waiting} AND d.due_at <= now() END`

  const suspects = job.suspectsAlone
    ? `AND (d.${tries} = 0 OR NOT EXISTS (
         SELECT 1 FROM ${table} suspect WHERE suspect.claimed_by IS NOT NULL AND suspect.${tries} > 1))`
    : ''

  // Every lane is visited, and each contributes at most its window. So a lane with a hundred thousand pending rows
  // costs the others only its turn.
  const claim = `${turnsOf(job)}, picked AS (
      SELECT free.${id}
      FROM (SELECT lane FROM turns ${inTurn('$2')}) AS lanes
      CROSS JOIN LATERAL (
        SELECT d.${id} FROM ${table} d
        WHERE d.${id} = ANY (ARRAY(
            SELECT due.${id} FROM (SELECT w.${id}, w.claimed_by ${window(`AND ${hasNotEnded(`w.${id}`, '$5')}`)} $4) AS due
            WHERE due.claimed_by IS NULL))
          AND ${isStillWaiting} ${suspects}
        ${job.oldestFirst ? `ORDER BY ${by('d')}` : ''} FOR NO KEY UPDATE SKIP LOCKED
      ) AS free
      LIMIT $3
    ), claimed AS (
      UPDATE ${table} d
      SET claimed_by = $1 ${tries ? `, ${tries} = d.${tries} + 1` : ''} ${job.onClaim ? `, ${job.onClaim}` : ''}
      WHERE d.${id} = ANY (ARRAY(SELECT ${id} FROM picked))
      RETURNING d.${id} AS job_id, ${lane ? `d.${lane}::text` : "''"} AS job_lane,
        ${tenantOf(job, lane ? `d.${lane}` : "''")} AS job_tenant, ${tries ? `d.${tries}` : '0'} AS job_tries, ${job.returning}
    )
    SELECT c.* ${job.joined ? `, ${job.joined.columns}` : ''} FROM claimed c ${job.joined?.from ?? ''}
    ${tries ? '' : withoutWaitingForTheDisk}`

  const lost = `d.${id} = ANY (ARRAY(
      SELECT held.${id} FROM lanes
      CROSS JOIN LATERAL (SELECT w.${id}, w.claimed_by ${window()} $3) AS held
      WHERE held.claimed_by IS NOT NULL AND held.${id} <> ALL($2::uuid[])))
    AND (d.claimed_by = $1 OR d.claimed_by NOT IN (${liveClaimants}))`

  const onRelease = job.onRelease ? `, ${job.onRelease}` : ''
  return {
    claim: statement(claim),
    recover: statement(`
      ${lanes}
      UPDATE ${table} d SET claimed_by = NULL ${onRelease} ${tries ? ', due_at = now()' : ''}
      WHERE ${lost} AND ($4::int IS NULL ${tries ? `OR d.${tries} < $4` : ''})`),
    deadly: statement(`
      ${lanes}
      SELECT d.${id} AS id, d.claimed_by AS "claimantId" FROM ${table} d
      WHERE ${lost} AND ${tries ? `d.${tries} >= $4` : '$4::int IS NULL'}`),
    release: statement(`
      UPDATE ${table} d SET claimed_by = NULL ${onRelease}, due_at = now() + o.delay_ms * interval '1 millisecond'
        ${tries ? `, ${tries} = d.${tries} - o.uncounted` : ''}
      FROM unnest($1::uuid[], $2::int[], $3::float8[], $4::int[]) AS o(id, claimed_by, delay_ms, uncounted)
      WHERE d.${id} = o.id AND d.claimed_by = o.claimed_by`),
    untilNext: statement(`
      ${lanes}
      SELECT extract(epoch FROM min(first.due_at) - now()) * 1000 AS ms
      FROM lanes CROSS JOIN LATERAL (
        SELECT w.due_at FROM ${table} w
        WHERE ${inLane} ${waiting} AND w.due_at > now() ORDER BY w.due_at LIMIT 1) AS first`),
  }
}

// By a subquery: PostgreSQL hashes its result once, and would compare every row with every element of an array.
const hasNotEnded = (id: string, ended: string) => `${id} NOT IN (SELECT unnest(${ended}::uuid[]))`

/** SQL for how many more jobs of a lane may be claimed, as far as `cap` and the jobs that are due already allow. */
export const freePlaces = (
  { table, id, lane, waiting = 'true' }: JobTable,
  { of, cap, ended }: { readonly of: string; readonly cap: string; readonly ended: string },
): string => `${cap} - (SELECT count(*) FROM (
    SELECT FROM ${table} w WHERE ${lane ? `w.${lane} = ${of} AND` : ''} ${waiting} AND w.due_at <= now() AND ${hasNotEnded(`w.${id}`, ended)}
    LIMIT ${cap}) AS taken)`

// A claim that counts no attempt need not survive a crash of the database, so it does not wait for the disk.
const withoutWaitingForTheDisk = `CROSS JOIN (SELECT set_config('synchronous_commit', 'off', true)) AS unhurried`

/** The fields of a table that say whose turn it is. */
export type Lanes = Pick<JobTable, 'table' | 'lane' | 'tenant' | 'waiting' | 'turns'>

/** The lanes with pending rows, by a loose index scan: one index lookup per lane, however many rows it has. */
const lanesOf = ({ table, lane, waiting = 'true' }: Lanes): string =>
  lane
    ? `WITH RECURSIVE lanes AS (
        (SELECT w.${lane} AS lane FROM ${table} w WHERE ${waiting} ORDER BY w.${lane} LIMIT 1)
        UNION ALL
        SELECT (SELECT w.${lane} FROM ${table} w WHERE ${waiting} AND w.${lane} > lanes.lane ORDER BY w.${lane} LIMIT 1)
        FROM lanes WHERE lanes.lane IS NOT NULL
      )`
    : `WITH lanes AS (SELECT ''::text AS lane)`

/** As text in the order of its bytes, as here. A lane that belongs to nobody any more is its own tenant. */
const tenantOf = ({ tenant }: Lanes, lane: string): string =>
  `${tenant ? `coalesce((${tenant(lane)})::text, ${lane}::text)` : `${lane}::text`} COLLATE "C"`

/**
 * SQL that begins with the lanes that have pending rows, as `turns`, to be ordered by `inTurn`.  First a lane of
 * every tenant, then a second one of those that have more, and so on: a tenant with a thousand lanes has no more
 * turns than one with a single lane. Which of its lanes is first is left to chance, so that none is always last.
 */
export function turnsOf(job: Lanes): string {
  const { table, lane, turns } = job
  const busy =
    turns === 'fewest-first' && lane
      ? `(SELECT count(*) FROM ${table} u WHERE u.claimed_by IS NOT NULL AND u.${lane} = lanes.lane)`
      : '0'
  return `${lanesOf(job)}, turns AS (
    SELECT lane, tenant, row_number() OVER (PARTITION BY tenant ORDER BY busy, random()) AS nth,
      sum(busy) OVER (PARTITION BY tenant) AS busy
    FROM (SELECT lane, ${tenantOf(job, 'lanes.lane')} AS tenant, ${busy} AS busy FROM lanes WHERE lane IS NOT NULL) AS open)`
}

/** `after`: the tenant that was served last. */
export const inTurn = (after: string): string => `ORDER BY nth, busy, tenant <= ${after}, tenant`

/** Turns go up from `after` and begin again: who had the last one. */
export function servedLast(claimed: readonly ClaimedJob[], after: string | null): string | null {
  const tenants = claimed.map(({ job_tenant }) => job_tenant).toSorted()
  const begunAgain = tenants.filter((tenant) => after !== null && tenant <= after)
  return begunAgain.at(-1) ?? tenants.at(-1) ?? after
}
