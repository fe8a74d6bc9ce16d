// Deletes workspaces in the database. Every statement adds what it has removed to the deletion, so that its counts are right
// whenever the process dies.
import type { PageQuery } from '@parley/contract'
import { type Queries, statement } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'
import type { JobTable, Settled } from '../../platform/jobs/job.ts'

export interface DeletionRow {
  deletion_id: string
  workspace_id: string
  name: string
  requester: string
  status: 'queued' | 'in_progress' | 'completed' | 'failed'
  error: string | null
  /** A bigint: text, and so is `rows`. */
  expected: string | null
  calls: number
  recordings: number
  files: number
  rows: string
  created_at: Date
  completed_at: Date | null
}

export const deletionsTable: JobTable = {
  table: 'workspace_deletions',
  id: 'deletion_id',
  waiting: 'completed_at IS NULL',
  oldestFirst: true,
  triesColumn: 'tries',
  onClaim: "status = 'in_progress'",
  returning: 'd.workspace_id',
}

const columns =
  'deletion_id, workspace_id, name, requester, status, error, expected, calls, recordings, files, rows, created_at, completed_at'

// From now on nobody can enter it, neither person nor program.
const close = statement(`
  UPDATE workspaces SET closed_at = now()
  WHERE workspace_id = $1 AND closed_at IS NULL AND name = $2 RETURNING workspace_id`)
const dismissMembers = statement('DELETE FROM user_workspaces WHERE workspace_id = $1')
const revokeKeys = statement('UPDATE api_keys SET active = false WHERE workspace_id = $1')
const withdrawAccess = statement(
  "WITH gone AS (DELETE FROM api_key_access WHERE workspace_id = $1) SELECT pg_notify('api_keys', '')",
)
const insert = statement(`
  INSERT INTO workspace_deletions (deletion_id, workspace_id, name, requested_by, requester)
  VALUES ($1, $2, $3, $4, $5) RETURNING ${columns}`)

const visible = '($1::uuid IS NULL OR requested_by = $1)'
const selectPage = statement(`
  SELECT ${columns} FROM workspace_deletions WHERE ${visible}
  ORDER BY created_at DESC, deletion_id DESC LIMIT $2 OFFSET $3`)
const count = statement(`SELECT count(*)::int AS total FROM workspace_deletions WHERE ${visible}`)

// Nobody calls it any more, and it calls nobody.
const removeNumbers = statement(`
  WITH gone AS (DELETE FROM phone_numbers WHERE workspace_id = $2 RETURNING 1)
  UPDATE workspace_deletions SET rows = rows + (SELECT count(*) FROM gone) WHERE deletion_id = $1`)
const cancelBatches = statement(`
  UPDATE batches SET status = 'cancelled', completed_at = now(), updated_at = now()
  WHERE workspace_id = $1 AND status NOT IN ('completed', 'cancelled', 'failed')`)
const cancelWaiting = statement(`
  UPDATE calls SET call_status = 'canceled', call_terminated_by = 'api', hangup_reason = 'api_stopped', duration = 0,
    call_completed_time = now(), tell_at = now() + interval '1 day', due_at = NULL, join_token = NULL, join_by = NULL,
    finished = true, updated_at = now()
  WHERE workspace_id = $1 AND NOT finished AND claimed_by IS NULL`)
const stopRunning = statement(`
  UPDATE calls SET stop_asked_at = now()
  WHERE workspace_id = $1 AND NOT finished AND claimed_by IS NOT NULL AND stop_asked_at IS NULL`)

const nextCalls = statement(`
  SELECT session_id, recording IS NOT NULL AS recorded FROM calls WHERE workspace_id = $1 AND finished LIMIT 100`)
const callsLeft = statement('SELECT count(*)::int AS left FROM calls WHERE workspace_id = $1')
const mark = statement(
  'INSERT INTO erased_calls (session_id) SELECT unnest($1::uuid[]) ON CONFLICT DO NOTHING',
)
const removeCalls = statement(`
  WITH gone AS (
    DELETE FROM calls WHERE session_id = ANY($2::uuid[]) RETURNING 1
  )
  UPDATE workspace_deletions SET calls = calls + (SELECT count(*) FROM gone), recordings = recordings + $3
  WHERE deletion_id = $1`)

const nextFiles = statement('SELECT file_id FROM speech_files WHERE workspace_id = $1 LIMIT 100')
const removeFiles = statement(`
  WITH gone AS (DELETE FROM speech_files WHERE file_id = ANY($2::uuid[]) RETURNING 1)
  UPDATE workspace_deletions SET files = files + (SELECT count(*) FROM gone) WHERE deletion_id = $1`)

// Every table with a column for the workspace, those of later releases too; forgetting one would leave data behind. Of a
// partitioned table, its partitions.
const selectTables = statement(`
  SELECT c.relname AS table FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND a.attname = 'workspace_id'
    AND NOT a.attisdropped AND coalesce(p.relname, c.relname) <> ALL('{workspaces,workspace_deletions,calls,speech_files}')
  ORDER BY 1`)

const selectDeliveries = statement(`SELECT name AS table FROM partitions_of('deliveries')`)

type Rows = readonly [table: string, condition: string]

/** What belongs to a row of the workspace without naming the workspace itself. */
async function dependants(db: Queries): Promise<Rows[]> {
  const deliveries = await db.rows<{ table: string }>(selectDeliveries)
  return [
    ['batch_recipients', 'batch_id IN (SELECT batch_id FROM batches WHERE workspace_id = $2)'],
    ...deliveries.flatMap(({ table }): Rows[] => [
      [table, 'webhook_id IN (SELECT webhook_id FROM webhooks WHERE workspace_id = $2)'],
      [table, 'lane IN (SELECT agent_id FROM agents WHERE workspace_id = $2)'],
    ]),
  ]
}

// A few at a time, so that nobody waits long for a lock.
const rowsAtOnce = 2_000

const removeSome = (table: string, condition: string) =>
  statement(`
    WITH gone AS (
      DELETE FROM "${table}" WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM "${table}" WHERE ${condition} LIMIT ${rowsAtOnce})) RETURNING 1
    )
    UPDATE workspace_deletions SET rows = rows + (SELECT count(*) FROM gone) WHERE deletion_id = $1
    RETURNING (SELECT count(*)::int FROM gone) AS removed`)

const expect = statement(`
  UPDATE workspace_deletions SET expected = coalesce(expected, $2::bigint) WHERE deletion_id = $1`)

const removeWorkspace = statement('DELETE FROM workspaces WHERE workspace_id = $1')

const finish = statement(`
  UPDATE workspace_deletions SET status = $3, error = $4, claimed_by = NULL, completed_at = now()
  WHERE deletion_id = $1 AND claimed_by = $2`)
const wait = statement(`
  UPDATE workspace_deletions SET status = 'queued', error = $3, claimed_by = NULL, tries = 0,
    due_at = now() + interval '1 second'
  WHERE deletion_id = $1 AND claimed_by = $2`)

export interface NewDeletion {
  readonly deletionId: string
  readonly workspaceId: string
  readonly name: string
  readonly userId: string | null
  readonly requester: string
}

/** In a transaction. Undefined if there is no open workspace with this id and name. */
export async function closeWorkspace(tx: Queries, made: NewDeletion): Promise<DeletionRow | undefined> {
  const { deletionId, workspaceId, name, userId, requester } = made
  if (!(await tx.row(close, [workspaceId, name]))) return undefined
  await tx.rows(dismissMembers, [workspaceId])
  await tx.rows(revokeKeys, [workspaceId])
  await tx.rows(withdrawAccess, [workspaceId])
  return tx.row<DeletionRow>(insert, [deletionId, workspaceId, name, userId, requester])
}

/** Null: of everybody. */
export const pageOfDeletions = (db: Queries, userId: string | null, query: PageQuery) =>
  readPage<DeletionRow>(db, { select: selectPage, count }, [userId], query)

/** Which workspace, and by which request. */
export interface Deleting {
  readonly deletionId: string
  readonly workspaceId: string
}

/** Nothing new begins, and what is under way is asked to end. */
export async function endEverything(db: Queries, { deletionId, workspaceId }: Deleting): Promise<void> {
  await db.rows(removeNumbers, [deletionId, workspaceId])
  await db.rows(cancelBatches, [workspaceId])
  await db.rows(cancelWaiting, [workspaceId])
  await db.rows(stopRunning, [workspaceId])
}

const tablesOf = async (db: Queries): Promise<string[]> =>
  (await db.rows<{ table: string }>(selectTables)).map(({ table }) => table)

/** How much there is, for the progress. */
export async function expectRows(db: Queries, { deletionId, workspaceId }: Deleting): Promise<void> {
  let rows = 0
  for (const table of ['calls', 'speech_files', ...(await tablesOf(db))]) {
    const counted = statement(`SELECT count(*)::int AS rows FROM "${table}" WHERE workspace_id = $1`)
    rows += (await db.row<{ rows: number }>(counted, [workspaceId]))?.rows ?? 0
  }
  await db.rows(expect, [deletionId, rows])
}

export interface CallToDelete {
  session_id: string
  recorded: boolean
}

/** Some of those that have ended. */
export const someCalls = (db: Queries, { workspaceId }: Deleting) =>
  db.rows<CallToDelete>(nextCalls, [workspaceId])

export const countCalls = async (db: Queries, { workspaceId }: Deleting): Promise<number> =>
  (await db.row<{ left: number }>(callsLeft, [workspaceId]))?.left ?? 0

/** Before their recordings are removed: whoever still has one finds the mark and removes it too. */
export const markDeleted = (db: Queries, calls: readonly CallToDelete[]) =>
  db.rows(mark, [calls.map(({ session_id }) => session_id)])

export const deleteCalls = (db: Queries, { deletionId }: Deleting, calls: readonly CallToDelete[]) =>
  db.rows(removeCalls, [
    deletionId,
    calls.map(({ session_id }) => session_id),
    calls.filter(({ recorded }) => recorded).length,
  ])

export const someFiles = async (db: Queries, { workspaceId }: Deleting): Promise<string[]> =>
  (await db.rows<{ file_id: string }>(nextFiles, [workspaceId])).map(({ file_id }) => file_id)

export const deleteFiles = (db: Queries, { deletionId }: Deleting, fileIds: readonly string[]) =>
  db.rows(removeFiles, [deletionId, fileIds])

/** Everything but calls and files, and last the workspace itself with its keys. */
export async function deleteRest(
  db: Queries,
  { deletionId, workspaceId }: Deleting,
  signal: AbortSignal,
): Promise<void> {
  const own = (await tablesOf(db)).map((table): Rows => [table, 'workspace_id = $2'])
  for (const [table, condition] of [...(await dependants(db)), ...own]) {
    const some = removeSome(table, condition)
    for (let removed = rowsAtOnce; removed === rowsAtOnce; ) {
      signal.throwIfAborted()
      removed = (await db.row<{ removed: number }>(some, [deletionId, workspaceId]))?.removed ?? 0
    }
  }
  await db.rows(removeWorkspace, [workspaceId])
}

export type DeletionEnd =
  | { readonly is: 'completed' }
  | { readonly is: 'failed'; readonly error: string }
  /** Calls are still under way. */
  | { readonly is: 'waiting'; readonly why: string }

export async function settleDeletions(db: Queries, settled: readonly Settled<DeletionEnd>[]): Promise<void> {
  for (const { id, claimantId, result } of settled) {
    if (result.is === 'waiting') await db.rows(wait, [id, claimantId, result.why])
    else await db.rows(finish, [id, claimantId, result.is, result.is === 'failed' ? result.error : null])
  }
}
