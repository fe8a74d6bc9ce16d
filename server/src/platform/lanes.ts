// A backlog in lanes: the statements that take what is due in turns, lane by lane, and give back what the dead held.
//
// Such a table has `delivery_id`, `lane`, `due_at` and `claimed_by`, and an index of what waits by lane and due time.
// Every statement goes by that index or by the id, whatever the planner thinks of the table: decision 0009.
import { liveClaimants } from './db/claim.ts'
import { type Queries, statement } from './db/db.ts'

export interface Claim {
  claimantId: number
  /** The lane that was served last. */
  after: string
  most: number
  mostPerLane: number
}

interface LanesOptions {
  readonly table: string
  /** What tells a row that waits from one that is done, as the index says it; absent: every row waits. */
  readonly waiting?: string
  /** In which a lane is served; the index goes the same way. */
  readonly order: string
}

export interface Lanes {
  /** Given the rest of the statement: what becomes of `picked`, with the claimant as $1. */
  claim<Row>(rest: string): (db: Queries, claim: Claim) => Promise<Row[]>
  /** Gives back what nobody is sending any more; `known` is what this process has in hand. */
  recover(db: Queries, claimantId: number, known: readonly string[], mostPerLane: number): Promise<unknown>
  /** Milliseconds until the next row falls due; undefined when none is waiting. */
  untilNext(db: Queries): Promise<number | undefined>
}

export function lanesOf({ table, waiting = 'true', order }: LanesOptions): Lanes {
  // The lanes with something waiting, one step of the index each, however much waits in them.
  const lanes = `WITH RECURSIVE lanes AS (
      (SELECT lane FROM ${table} WHERE ${waiting} ORDER BY lane LIMIT 1)
      UNION ALL
      SELECT (SELECT n.lane FROM ${table} n WHERE ${waiting} AND n.lane > lanes.lane ORDER BY n.lane LIMIT 1)
      FROM lanes WHERE lanes.lane IS NOT NULL
    )`

  // The rows of a lane that may be under way: those that have been due longest, claimed or not. A retry that falls due
  // takes its place by age, so for a moment a few more than that can be.
  const window = `FROM ${table} w WHERE w.lane = lanes.lane AND ${waiting} AND w.due_at <= now() ORDER BY ${order} LIMIT`

  // Every lane is visited, starting behind the one that was served last; each gives at most its window. So a lane with a
  // hundred thousand waiting costs the others nothing but its turn.
  const picked = `${lanes}, picked AS (
      SELECT free.delivery_id
      FROM (SELECT lane FROM lanes WHERE lane IS NOT NULL ORDER BY lane <= $2, lane) AS lanes
      CROSS JOIN LATERAL (
        SELECT d.delivery_id FROM ${table} d
        WHERE d.ctid = ANY (ARRAY(SELECT w.ctid ${window} $4)) AND d.claimed_by IS NULL
        FOR UPDATE SKIP LOCKED
      ) AS free
      LIMIT $3
    )`

  // Held by the dead; or by us, who know nothing of it, because the answer to our claim was lost. The request may or may
  // not have arrived, so it is sent again; receivers deduplicate.
  const recover = statement(`
    ${lanes}
    UPDATE ${table} d SET claimed_by = NULL
    WHERE d.delivery_id = ANY (ARRAY(
        SELECT held.delivery_id FROM lanes CROSS JOIN LATERAL (SELECT w.delivery_id, w.claimed_by ${window} $3) AS held
        WHERE held.claimed_by IS NOT NULL AND held.delivery_id <> ALL($1::uuid[])))
      AND (d.claimed_by = $2 OR d.claimed_by NOT IN (${liveClaimants}))`)

  const untilNext = statement(`
    ${lanes}
    SELECT extract(epoch FROM min(first.due_at) - now()) * 1000 AS ms
    FROM lanes CROSS JOIN LATERAL (
      SELECT d.due_at FROM ${table} d
      WHERE d.lane = lanes.lane AND ${waiting} AND d.due_at > now() ORDER BY d.due_at LIMIT 1) AS first`)

  return {
    claim(rest) {
      const claim = statement(`${picked} ${rest}`)
      return (db, { claimantId, after, most, mostPerLane }) =>
        db.rows(claim, [claimantId, after, most, mostPerLane])
    },
    recover: (db, claimantId, known, mostPerLane) => db.rows(recover, [known, claimantId, mostPerLane]),
    async untilNext(db) {
      const row = await db.row<{ ms: string | null }>(untilNext)
      return row?.ms == null ? undefined : Number(row.ms)
    },
  }
}
