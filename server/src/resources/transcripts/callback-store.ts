// Callbacks that are still to be made, in the database.
import { type Queries, statement } from '../../platform/db/db.ts'
import { lanesOf } from '../../platform/lanes.ts'

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

// Which they are among many of one moment must not change with the claim, hence the id.
const lanes = lanesOf({ table: 'transcript_callbacks', order: 'w.due_at, w.delivery_id' })

export const claimCallbacks = lanes.claim<Callback>(`
  UPDATE transcript_callbacks c SET claimed_by = $1 FROM picked WHERE c.delivery_id = picked.delivery_id
  RETURNING c.delivery_id, c.transcript_id, c.workspace_id, c.url, c.lane, c.payload, c.attempts`)

const done = statement('DELETE FROM transcript_callbacks WHERE delivery_id = $1 AND claimed_by = $2')

const again = statement(`
  UPDATE transcript_callbacks SET claimed_by = NULL, attempts = $3, due_at = now() + $4 * interval '1 millisecond'
  WHERE delivery_id = $1 AND claimed_by = $2`)

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

export const { recover: recoverCallbacks, untilNext: untilNextCallback } = lanes

export const callbackDone = (db: Queries, deliveryId: string, claimantId: number) =>
  db.rows(done, [deliveryId, claimantId])

export const callbackAgain = (
  db: Queries,
  deliveryId: string,
  claimantId: number,
  { attempts, delayMs }: { attempts: number; delayMs: number },
) => db.rows(again, [deliveryId, claimantId, attempts, delayMs])
