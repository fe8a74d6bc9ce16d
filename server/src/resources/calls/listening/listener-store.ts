// Who listened in to which call, in the database.
import { type Queries, statement } from '../../../platform/db/db.ts'

const insert = statement(`
  INSERT INTO call_listeners (listening_id, session_id, workspace_id, listener)
  SELECT $1, session_id, workspace_id, $3 FROM calls WHERE session_id = $2`)

const settle = statement(`
  UPDATE call_listeners SET ended_at = now() WHERE listening_id = $1 AND ended_at IS NULL`)

export const insertListener = (db: Queries, listener: { id: string; sessionId: string; by: string }) =>
  db.rows(insert, [listener.id, listener.sessionId, listener.by])

export const settleListener = (db: Queries, id: string) => db.rows(settle, [id])
