// Callbacks that are still to be made, in the database.
import { liveClaimants } from '../../platform/claim.ts'
import { type Queries, statement } from '../../platform/db.ts'

export interface Callback {
  delivery_id: string
  transcript_id: string
  workspace_id: string
  url: string
  lane: string
  payload: string
  /** Attempts that were made before. */
  attempts: number
}

const insert = statement(`
  INSERT INTO transcript_callbacks (delivery_id, transcript_id, workspace_id, url, lane, payload)
  VALUES ($1, $2, $3, $4, $5, $6)`)

// The lanes with something in them, one step of the index each, however much that is.
const lanes = `WITH RECURSIVE lanes AS (
    (SELECT lane FROM transcript_callbacks ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT c.lane FROM transcript_callbacks c WHERE c.lane > lanes.lane ORDER BY c.lane LIMIT 1)
    FROM lanes WHERE lanes.lane IS NOT NULL
  )`

// The callbacks of a lane that may be under way: those that have been due longest, claimed or not. Which they are among
// many of one moment must not change with the claim.
const window = `
  SELECT w.ctid FROM transcript_callbacks w WHERE w.lane = lanes.lane AND w.due_at <= now()
  ORDER BY w.due_at, w.delivery_id LIMIT`

// Every lane gives at most its window, starting behind the one that was served last, as with deliveries of webhooks.
const claim = statement(`
  ${lanes}, picked AS (
    SELECT free.delivery_id
    FROM (SELECT lane FROM lanes WHERE lane IS NOT NULL ORDER BY lane <= $2, lane) AS lanes
    CROSS JOIN LATERAL (
      SELECT c.delivery_id FROM transcript_callbacks c
      WHERE c.ctid = ANY (ARRAY(${window} $4)) AND c.claimed_by IS NULL
      FOR UPDATE SKIP LOCKED
    ) AS free
    LIMIT $3
  )
  UPDATE transcript_callbacks c SET claimed_by = $1 FROM picked WHERE c.delivery_id = picked.delivery_id
  RETURNING c.delivery_id, c.transcript_id, c.workspace_id, c.url, c.lane, c.payload, c.attempts`)

const done = statement('DELETE FROM transcript_callbacks WHERE delivery_id = $1 AND claimed_by = $2')

const again = statement(`
  UPDATE transcript_callbacks SET claimed_by = NULL, attempts = $3, due_at = now() + $4 * interval '1 millisecond'
  WHERE delivery_id = $1 AND claimed_by = $2`)

const recover = statement(`
  ${lanes}
  UPDATE transcript_callbacks c SET claimed_by = NULL
  FROM lanes CROSS JOIN LATERAL (
    SELECT h.delivery_id FROM transcript_callbacks h
    WHERE h.ctid = ANY (ARRAY(${window} $3)) AND h.claimed_by IS NOT NULL) AS held
  WHERE c.delivery_id = held.delivery_id AND c.claimed_by IS NOT NULL AND c.delivery_id <> ALL($1::uuid[])
    AND (c.claimed_by = $2 OR c.claimed_by NOT IN (${liveClaimants}))`)

const nextDue = statement(`
  ${lanes}
  SELECT extract(epoch FROM min(first.due_at) - now()) * 1000 AS ms
  FROM lanes CROSS JOIN LATERAL (
    SELECT c.due_at FROM transcript_callbacks c
    WHERE c.lane = lanes.lane AND c.due_at > now() ORDER BY c.due_at LIMIT 1) AS first`)

export interface NewCallback {
  deliveryId: string
  transcriptId: string
  workspaceId: string
  url: string
  payload: string
}

export const insertCallback = (tx: Queries, callback: NewCallback) =>
  tx.rows(insert, [
    callback.deliveryId,
    callback.transcriptId,
    callback.workspaceId,
    callback.url,
    `${callback.workspaceId} ${new URL(callback.url).host}`,
    callback.payload,
  ])

export interface Claim {
  claimantId: number
  /** The lane that was served last. */
  after: string
  most: number
  mostPerLane: number
}

export const claimCallbacks = (db: Queries, { claimantId, after, most, mostPerLane }: Claim) =>
  db.rows<Callback>(claim, [claimantId, after, most, mostPerLane])

export const callbackDone = (db: Queries, deliveryId: string, claimantId: number) =>
  db.rows(done, [deliveryId, claimantId])

export const callbackAgain = (
  db: Queries,
  deliveryId: string,
  claimantId: number,
  { attempts, delayMs }: { attempts: number; delayMs: number },
) => db.rows(again, [deliveryId, claimantId, attempts, delayMs])

/** `known` is what this process is sending. */
export const recoverCallbacks = (
  db: Queries,
  claimantId: number,
  known: readonly string[],
  mostPerLane: number,
) => db.rows(recover, [known, claimantId, mostPerLane])

export async function untilNextCallback(db: Queries): Promise<number | undefined> {
  const row = await db.row<{ ms: string | null }>(nextDue)
  return row?.ms == null ? undefined : Number(row.ms)
}
