// Workspaces in the database.
import type { dashboard, PageQuery, Prices } from '@parley/contract'
import { listStatements } from '../../http/lists.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

export interface WorkspaceRow {
  workspace_id: string
  name: string
  created_at: Date
  allowed_destinations: string[] | null
  calls_per_minute: number | null
  calls_per_day: number | null
  max_concurrency: number | null
  minutes_per_day: number | null
  /** A numeric: text. */
  cost_per_day: string | null
  prices: Prices | null
  memory_days: number | null
}

const columns = `
  workspace_id, name, created_at, allowed_destinations, calls_per_minute, calls_per_day, max_concurrency,
  minutes_per_day, cost_per_day, prices, memory_days`

// $1 is null for a user who sees every workspace. One that is being deleted is seen by nobody.
const visible = 'closed_at IS NULL AND ($1::uuid[] IS NULL OR workspace_id = ANY($1))'

const insert = statement(`
  INSERT INTO workspaces (workspace_id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING ${columns}`)

const page = listStatements(columns, `workspaces WHERE ${visible}`, 'created_at DESC, workspace_id DESC', 1)

// Only the given fields are written, so that concurrent changes do not undo each other.
const update = statement(`
  UPDATE workspaces SET
    name = coalesce($2, name),
    allowed_destinations = CASE WHEN $3 THEN $4::text[] ELSE allowed_destinations END,
    calls_per_minute = CASE WHEN $5 THEN $6::integer ELSE calls_per_minute END,
    calls_per_day = CASE WHEN $7 THEN $8::integer ELSE calls_per_day END,
    max_concurrency = CASE WHEN $9 THEN $10::integer ELSE max_concurrency END,
    minutes_per_day = CASE WHEN $11 THEN $12::integer ELSE minutes_per_day END,
    cost_per_day = CASE WHEN $13 THEN $14::numeric ELSE cost_per_day END,
    prices = CASE WHEN $15 THEN $16::json ELSE prices END,
    memory_days = CASE WHEN $17 THEN $18::integer ELSE memory_days END
  WHERE workspace_id = $1 AND closed_at IS NULL RETURNING ${columns}`)

const missing = statement(`
  SELECT wanted AS workspace_id FROM unnest($1::uuid[]) AS wanted
  WHERE NOT EXISTS (SELECT 1 FROM workspaces WHERE workspace_id = wanted AND closed_at IS NULL)`)

const oldest = statement(
  'SELECT workspace_id FROM workspaces WHERE closed_at IS NULL ORDER BY created_at, workspace_id LIMIT 1',
)

/** Undefined if the id is taken. */
export const insertWorkspace = (db: Queries, workspaceId: string, name: string) =>
  db.row<WorkspaceRow>(insert, [workspaceId, name])

export const pageOfWorkspaces = (db: Queries, visibleIds: string[] | null, query: PageQuery) =>
  readPage<WorkspaceRow>(db, page, [visibleIds], query)

const given = (value: unknown): unknown[] => [value !== undefined, value ?? null]

export const updateWorkspace = (db: Queries, workspaceId: string, change: dashboard.WorkspaceChange) =>
  db.row<WorkspaceRow>(update, [
    ...[workspaceId, change.name ?? null, ...given(change.allowed_destinations)],
    ...[...given(change.calls_per_minute), ...given(change.calls_per_day), ...given(change.max_concurrency)],
    ...[...given(change.minutes_per_day), ...given(change.cost_per_day)],
    ...[...given(change.prices && JSON.stringify(change.prices)), ...given(change.memory_days)],
  ])

export const missingWorkspaces = async (db: Queries, workspaceIds: string[]) =>
  (await db.rows<{ workspace_id: string }>(missing, [workspaceIds])).map(({ workspace_id }) => workspace_id)

export const oldestWorkspace = async (db: Queries) =>
  (await db.row<{ workspace_id: string }>(oldest))?.workspace_id
