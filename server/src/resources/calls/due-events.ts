// Ended calls whose event is still to be published.
import { type Queries, statement } from '../../platform/db/db.ts'

/** Dequeues up to $1 calls whose event is due, with all their columns; part of the event publisher's statement. */
export const takeDueCalls = `
  DELETE FROM calls_to_tell t USING calls c
  WHERE c.session_id = t.session_id AND t.ctid = ANY (ARRAY(
    SELECT ctid FROM calls_to_tell WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
  RETURNING c.*`

const nextDue = statement(`
  SELECT extract(epoch FROM min(due_at) - now()) * 1000 AS ms FROM calls_to_tell`)

/** Milliseconds until the next event is due; undefined if there is none. */
export async function untilNextDue(db: Queries): Promise<number | undefined> {
  const row = await db.row<{ ms: string | null }>(nextDue)
  return row?.ms == null ? undefined : Number(row.ms)
}
