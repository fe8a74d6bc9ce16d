// Callbacks that are still to be made, in the database.
import { liveClaimants } from '../../platform/claim.ts'
import { type Queries, statement } from '../../platform/db.ts'

export interface Callback {
  delivery_id: string
  transcript_id: string
  workspace_id: string
  url: string
  payload: string
  /** Attempts that were made before. */
  attempts: number
}

const insert = statement(`
  INSERT INTO transcript_callbacks (delivery_id, transcript_id, workspace_id, url, payload) VALUES ($1, $2, $3, $4, $5)`)

const claim = statement(`
  UPDATE transcript_callbacks c SET claimed_by = $1
  WHERE c.ctid = ANY (ARRAY(
    SELECT ctid FROM transcript_callbacks WHERE due_at <= now() AND claimed_by IS NULL
    ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
  RETURNING delivery_id, transcript_id, workspace_id, url, payload, attempts`)

const done = statement('DELETE FROM transcript_callbacks WHERE delivery_id = $1 AND claimed_by = $2')

const again = statement(`
  UPDATE transcript_callbacks SET claimed_by = NULL, attempts = $3, due_at = now() + $4 * interval '1 millisecond'
  WHERE delivery_id = $1 AND claimed_by = $2`)

const recover = statement(`
  UPDATE transcript_callbacks SET claimed_by = NULL
  WHERE claimed_by IS NOT NULL AND delivery_id <> ALL($1::uuid[])
    AND (claimed_by = $2 OR claimed_by NOT IN (${liveClaimants}))`)

const nextDue = statement(`
  SELECT extract(epoch FROM min(due_at) - now()) * 1000 AS ms FROM transcript_callbacks WHERE due_at > now()`)

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
    callback.payload,
  ])

export const claimCallbacks = (db: Queries, claimantId: number, most: number) =>
  db.rows<Callback>(claim, [claimantId, most])

export const callbackDone = (db: Queries, deliveryId: string, claimantId: number) =>
  db.rows(done, [deliveryId, claimantId])

export const callbackAgain = (
  db: Queries,
  deliveryId: string,
  claimantId: number,
  { attempts, delayMs }: { attempts: number; delayMs: number },
) => db.rows(again, [deliveryId, claimantId, attempts, delayMs])

/** `known` is what this process is sending. */
export const recoverCallbacks = (db: Queries, claimantId: number, known: readonly string[]) =>
  db.rows(recover, [known, claimantId])

export async function untilNextCallback(db: Queries): Promise<number | undefined> {
  const row = await db.row<{ ms: string | null }>(nextDue)
  return row?.ms == null ? undefined : Number(row.ms)
}
