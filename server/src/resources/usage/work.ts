// What a worker does for the usage, so that it stays cheap to read: entries of ended calls become rollups, and calls
// of an earlier release are counted.
import { type Queries, statement } from '../../platform/db/db.ts'
import type { Sweep } from '../../platform/jobs/job.ts'

const fold = statement('SELECT fold_usage($1) AS folded')

// The trigger on this column counts them.
const countOld = statement(`
  WITH found AS (
    SELECT session_id FROM calls WHERE finished AND NOT counted ORDER BY session_id LIMIT $1 FOR UPDATE SKIP LOCKED
  ), counted AS (
    UPDATE calls c SET counted = true FROM found WHERE c.session_id = found.session_id RETURNING 1
  )
  SELECT count(*)::int AS counted FROM counted`)

// Unfolded entries are counted too, only more slowly: a thousand of them cost a reader a few milliseconds.
const everyMs = 10_000
const afterErrorMs = 5_000
// Small enough not to hold up others.
const atOnce = 5_000

export const usageSweep = (db: Queries): Sweep => ({
  name: 'usage',
  everyMs,
  afterErrorMs,
  async run() {
    const old = await db.row<{ counted: number }>(countOld, [atOnce])
    const entries = await db.row<{ folded: number }>(fold, [atOnce])
    return old?.counted === atOnce || entries?.folded === atOnce ? 0 : everyMs
  },
})
