// Ended calls whose event is still to be published.
import { type Queries, statement } from '../../../platform/db/db.ts'
import { inTurn, type Lanes, turnsOf } from '../../../platform/jobs/statements.ts'

const toTell: Lanes = { table: 'calls_to_tell', lane: 'workspace_id' }

interface Take {
  /** A parameter of the statement: how many calls. */
  readonly most: string
  /** A parameter: the workspace that was served last. */
  readonly after: string
  /** Columns of the calls `c`. Each is copied several times on its way through the statement, so not all of them. */
  readonly returning: string
}

/**
 * Dequeues up to `most` calls whose event is due; part of the event publisher's statement.
 *
 * By age, as long as one statement takes all that are due. Otherwise every workspace has an equal share first, beginning
 * after the one that was served last, and only what the shares leave goes by age.
 */
export const takeDueCalls = ({ most, after, returning }: Take): string => `
  ${turnsOf(toTell)},
  too_many AS MATERIALIZED (SELECT FROM calls_to_tell WHERE due_at <= now() ORDER BY due_at OFFSET ${most} LIMIT 1),
  due_lanes AS MATERIALIZED (
    SELECT lane FROM turns
    WHERE EXISTS (SELECT FROM too_many)
      AND (SELECT true ${dueOf('turns.lane')} LIMIT 1)
    ${inTurn(after)}),
  shares AS MATERIALIZED (
    SELECT share.ctid FROM due_lanes CROSS JOIN LATERAL (
      SELECT w.ctid ${dueOf('due_lanes.lane')}
      LIMIT ceil(${most} / (SELECT count(*)::float8 FROM due_lanes)) FOR UPDATE SKIP LOCKED) AS share
    LIMIT ${most}),
  by_age AS MATERIALIZED (
    SELECT ctid FROM calls_to_tell
    WHERE due_at <= now() AND ctid NOT IN (SELECT ctid FROM shares)
    ORDER BY due_at LIMIT ${most} - (SELECT count(*) FROM shares) FOR UPDATE SKIP LOCKED)
  DELETE FROM calls_to_tell t USING calls c
  WHERE c.session_id = t.session_id
    AND t.ctid = ANY (ARRAY(SELECT ctid FROM shares UNION ALL SELECT ctid FROM by_age))
  RETURNING ${returning}`

// By rows of two columns, which only the index of lanes can compare: with an equation the planner may take all that is due
// by age and look for the workspace in it. And without EXISTS, which it would turn into a join with all that is due.
const dueOf = (workspaceId: string) => `FROM calls_to_tell w
  WHERE (w.workspace_id, w.due_at) >= (${workspaceId}, '-infinity') AND (w.workspace_id, w.due_at) <= (${workspaceId}, now())
  ORDER BY w.workspace_id, w.due_at`

const nextDue = statement(`
  SELECT extract(epoch FROM min(due_at) - now()) * 1000 AS ms FROM calls_to_tell`)

/** Milliseconds until the next event is due; undefined if there is none. */
export async function untilNextDue(db: Queries): Promise<number | undefined> {
  const row = await db.row<{ ms: string | null }>(nextDue)
  return row?.ms == null ? undefined : Number(row.ms)
}
