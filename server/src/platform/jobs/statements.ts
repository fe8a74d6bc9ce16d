// The SQL of a job's table, generated once from its description.
//
// Every statement goes by the index of what waits or by the id, whatever the planner believes about the size of the
// table: decision 0009. Rows are claimed for good or until they are given back; there is no lease that could run out
// while a job is under way, because a claimant that dies loses its lock at once (../db/claim.ts).
import { liveClaimants } from '../db/claim.ts'
import { type Queries, type Statement, statement } from '../db/db.ts'
import type { JobRow, JobTable } from './job.ts'

export interface Claim {
  readonly claimantId: number
  /** The lane that was served last, null at first. */
  readonly after: string | null
  readonly most: number
  readonly mostPerLane: number
  /** Jobs of ours that have ended and are still to be written down: they do not count for their lane. */
  readonly ended: readonly string[]
}

/** A job that goes back to the backlog. */
export interface Release {
  readonly id: string
  readonly claimantId: number
  readonly delayMs: number
  /** False: the attempt does not count as a try. */
  readonly counted: boolean
}

export interface LostJob {
  readonly id: string
  readonly claimantId: number
}

export interface Queue<Row> {
  claim(db: Queries, claim: Claim): Promise<(Row & JobRow)[]>
  /** Gives back what nobody works on: rows of dead claimants, and ours that we do not know of (`held`). */
  recover(db: Queries, lost: Lost): Promise<unknown>
  /** Rows like those, whose process died over each of their tries. They are not given back. */
  deadly(db: Queries, lost: Lost, mostTries: number): Promise<LostJob[]>
  release(db: Queries, releases: readonly Release[]): Promise<unknown>
  /** Milliseconds until the next job falls due; undefined when none waits for its time. */
  untilNext(db: Queries): Promise<number | undefined>
}

export interface Lost {
  readonly claimantId: number
  readonly held: readonly string[]
  readonly mostPerLane: number
  /** Rows that were tried this often are left to `deadly`. */
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

  // The rows of a lane that may be under way: those that have been due longest, claimed or not. A retry that falls due
  // takes its place by age, so for a moment a few more than the cap can be.
  const window = (except = '') =>
    `FROM ${table} w WHERE ${inLane} ${waiting} AND w.due_at <= now() ${except} ORDER BY ${by('w')} LIMIT`

  const suspects = job.suspectsAlone
    ? `AND (d.${tries} = 0 OR NOT EXISTS (
         SELECT 1 FROM ${table} suspect WHERE suspect.claimed_by IS NOT NULL AND suspect.${tries} > 1))`
    : ''

  // Every lane is visited, each gives at most its window. So a lane with a hundred thousand waiting costs the others
  // nothing but its turn.
  const claim = `${lanes}, picked AS (
      SELECT free.ctid
      FROM (SELECT lane FROM lanes WHERE lane IS NOT NULL ORDER BY ${servedFirst(job)}) AS lanes
      CROSS JOIN LATERAL (
        SELECT d.ctid FROM ${table} d
        WHERE d.ctid = ANY (ARRAY(SELECT w.ctid ${window(`AND w.${id} <> ALL($5::uuid[])`)} $4))
          AND d.claimed_by IS NULL ${suspects}
        ${job.oldestFirst ? `ORDER BY ${by('d')}` : ''} FOR NO KEY UPDATE SKIP LOCKED
      ) AS free
      LIMIT $3
    ), claimed AS (
      UPDATE ${table} d
      SET claimed_by = $1 ${tries ? `, ${tries} = d.${tries} + 1` : ''} ${job.onClaim ? `, ${job.onClaim}` : ''}
      WHERE d.ctid = ANY (ARRAY(SELECT ctid FROM picked))
      RETURNING d.${id} AS job_id, ${lane ? `d.${lane}::text` : "''"} AS job_lane,
        ${tries ? `d.${tries}` : '0'} AS job_tries, ${job.returning}
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

// A claim that counts no try need not survive a crash of the database, so nobody waits for the disk.
const withoutWaitingForTheDisk = `CROSS JOIN (SELECT set_config('synchronous_commit', 'off', true)) AS unhurried`

/** The lanes with something waiting, one step of the index each, however much waits in them. */
const lanesOf = ({ table, lane, waiting = 'true' }: JobTable): string =>
  lane
    ? `WITH RECURSIVE lanes AS (
        (SELECT w.${lane} AS lane FROM ${table} w WHERE ${waiting} ORDER BY w.${lane} LIMIT 1)
        UNION ALL
        SELECT (SELECT w.${lane} FROM ${table} w WHERE ${waiting} AND w.${lane} > lanes.lane ORDER BY w.${lane} LIMIT 1)
        FROM lanes WHERE lanes.lane IS NOT NULL
      )`
    : `WITH lanes AS (SELECT ''::text AS lane)`

/** Behind the lane that was served last; where the fewest come first, that decides among equals. */
function servedFirst({ table, lane, turns }: JobTable): string {
  const inTurn = 'lane <= $2, lane'
  if (turns !== 'fewest-first' || !lane) return inTurn
  return `(SELECT count(*) FROM ${table} u WHERE u.claimed_by IS NOT NULL AND u.${lane} = lanes.lane), ${inTurn}`
}
