// Callers, what is remembered of them, and requests to erase them, in the database.
import type { PageQuery } from '@parley/contract'
import { listStatements } from '../../http/lists.ts'
import { type Queries, statement, type Write } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

export interface CallerRow {
  caller: string | null
  calls: number
  recordings: number
  first_call_at: Date | null
  last_call_at: Date | null
}

export interface MemoryRow {
  agent_id: string
  calls: number
  called_at: Date
  summary: string | null
  facts: Record<string, unknown>
}

const key = statement('SELECT caller_key($1) AS caller')

const records = statement(`
  SELECT $2::text AS caller, count(*)::int AS calls, (count(*) FILTER (WHERE recording IS NOT NULL))::int AS recordings,
    min(created_at) AS first_call_at, max(created_at) AS last_call_at
  FROM calls WHERE workspace_id = $1
    AND caller_of(call_type, from_phone_number, to_phone_number, metadata) = $2`)

const memories = statement(`
  SELECT agent_id, calls, called_at, summary, facts FROM caller_memories
  WHERE workspace_id = $1 AND caller = $2 ORDER BY called_at DESC, agent_id LIMIT 1000`)

// Memories of workspaces without a setting of their own expire with the records of calls.
const prune = statement(`
  DELETE FROM caller_memories m USING workspaces w
  WHERE w.workspace_id = m.workspace_id
    AND m.called_at < now() - coalesce(w.memory_days, $1) * interval '1 day'`)

export interface ErasureRow {
  erasure_id: string
  status: 'queued' | 'in_progress' | 'completed' | 'failed'
  error: string | null
  expected: number | null
  calls: number
  recordings: number
  events: number
  deliveries: number
  recipients: number
  memories: number
  archived: number
  created_at: Date
  completed_at: Date | null
}

const columns = `erasure_id, status, error, expected, calls, recordings, events, deliveries, recipients, memories, archived, created_at,
  completed_at`

const insert = statement(`
  INSERT INTO erasures (erasure_id, workspace_id, caller, created_at) VALUES ($1, $2, $3, $4)`)

const select = statement(`SELECT ${columns} FROM erasures WHERE erasure_id = $1 AND workspace_id = $2`)

const page = listStatements(
  columns,
  'erasures WHERE workspace_id = $1',
  'created_at DESC, erasure_id DESC',
  1,
)

/** Returns the spelling that callers are found by; null if it is empty. */
export const callerKey = async (db: Queries, written: string): Promise<string | null> =>
  (await db.row<{ caller: string | null }>(key, [written]))?.caller ?? null

export const recordsOf = async (db: Queries, workspaceId: string, caller: string): Promise<CallerRow> =>
  (await db.row<CallerRow>(records, [workspaceId, caller])) as CallerRow

export const memoriesOf = (db: Queries, workspaceId: string, caller: string) =>
  db.rows<MemoryRow>(memories, [workspaceId, caller])

/** `callDays`: how long records of calls are kept. */
export const pruneMemories = (db: Queries, callDays: number) => db.rows(prune, [callDays])

export interface NewErasure {
  readonly id: string
  readonly workspaceId: string
  readonly sealedCaller: Buffer
  readonly at: Date
}

export const insertErasure = ({ id, workspaceId, sealedCaller, at }: NewErasure): Write => ({
  statement: insert,
  values: [id, workspaceId, sealedCaller, at],
})

export const findErasure = (db: Queries, workspaceId: string, erasureId: string) =>
  db.row<ErasureRow>(select, [erasureId, workspaceId])

export const pageOfErasures = (db: Queries, workspaceId: string, query: PageQuery) =>
  readPage<ErasureRow>(db, page, [workspaceId], query)
