// Deletes what a workspace has in the database. Every statement adds what it has removed to the deletion, so that its
// counts are right whenever the process dies.
import { type Queries, statement } from '../../platform/db/db.ts'
import type { DeletedWorkspace } from './deletion-store.ts'

// Without its numbers the workspace neither receives nor places calls.
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

const nextSpeech = statement(
  `SELECT encode(key, 'hex') AS key FROM cached_speech WHERE workspace_id = $1 LIMIT 100`,
)
const removeSpeech = statement(`
  WITH gone AS (
    DELETE FROM cached_speech WHERE workspace_id = $2 AND key = ANY($3::bytea[]) RETURNING 1
  )
  UPDATE workspace_deletions SET files = files + (SELECT count(*) FROM gone) WHERE deletion_id = $1`)

/** Tables whose rows are deleted together with something outside of the database. */
const withContent = ['calls', 'speech_files', 'cached_speech']

// Every table with a column for the workspace, those of later releases too; forgetting one would leave data behind.
// Of a partitioned table, its partitions.
const selectTables = statement(`
  SELECT c.relname AS table, coalesce(p.relname, c.relname) AS whole
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND a.attname = 'workspace_id'
    AND NOT a.attisdropped AND coalesce(p.relname, c.relname) NOT IN ('workspaces', 'workspace_deletions')
  ORDER BY 1`)

const selectDeliveries = statement(`SELECT name AS table FROM partitions_of('deliveries')`)

type Rows = readonly [table: string, condition: string]

/** Finds tables whose rows belong to a row of the workspace without naming the workspace. */
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

// Also to endpoints and agents that were deleted before.
const removeEvents = statement(`
  WITH chosen AS (
    SELECT event_id FROM events WHERE workspace_id = $2 LIMIT ${rowsAtOnce}
  ), delivered AS (
    DELETE FROM deliveries WHERE event_id = ANY(ARRAY(SELECT event_id FROM chosen)) RETURNING 1
  ), published AS (
    DELETE FROM events WHERE event_id = ANY(ARRAY(SELECT event_id FROM chosen)) RETURNING 1
  )
  UPDATE workspace_deletions
  SET rows = rows + (SELECT count(*) FROM delivered) + (SELECT count(*) FROM published)
  WHERE deletion_id = $1 RETURNING (SELECT count(*)::int FROM published) AS removed`)

const removeSome = ([table, condition]: Rows) =>
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

/** Nothing new begins, and what is under way is asked to end. */
export async function endEverything(
  db: Queries,
  { deletionId, workspaceId }: DeletedWorkspace,
): Promise<void> {
  await db.rows(removeNumbers, [deletionId, workspaceId])
  await db.rows(cancelBatches, [workspaceId])
  await db.rows(cancelWaiting, [workspaceId])
  await db.rows(stopRunning, [workspaceId])
}

/** `whole`: the table that it is a partition of, or itself. */
export const tablesOfWorkspaces = (db: Queries) => db.rows<{ table: string; whole: string }>(selectTables)

/** How much there is, for the progress. */
export async function expectRows(db: Queries, { deletionId, workspaceId }: DeletedWorkspace): Promise<void> {
  let rows = 0
  for (const { table } of await tablesOfWorkspaces(db)) {
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
export const someCalls = (db: Queries, { workspaceId }: DeletedWorkspace) =>
  db.rows<CallToDelete>(nextCalls, [workspaceId])

export const countCalls = async (db: Queries, { workspaceId }: DeletedWorkspace): Promise<number> =>
  (await db.row<{ left: number }>(callsLeft, [workspaceId]))?.left ?? 0

/** Before their recordings are removed: a process that still has one finds the mark and removes it too. */
export const markDeleted = (db: Queries, calls: readonly CallToDelete[]) =>
  db.rows(mark, [calls.map(({ session_id }) => session_id)])

export const deleteCalls = (db: Queries, { deletionId }: DeletedWorkspace, calls: readonly CallToDelete[]) =>
  db.rows(removeCalls, [
    deletionId,
    calls.map(({ session_id }) => session_id),
    calls.filter(({ recorded }) => recorded).length,
  ])

export const someFiles = async (db: Queries, { workspaceId }: DeletedWorkspace): Promise<string[]> =>
  (await db.rows<{ file_id: string }>(nextFiles, [workspaceId])).map(({ file_id }) => file_id)

export const deleteFiles = (db: Queries, { deletionId }: DeletedWorkspace, fileIds: readonly string[]) =>
  db.rows(removeFiles, [deletionId, fileIds])

/** Keys of kept speech. */
export const someSpeech = async (db: Queries, { workspaceId }: DeletedWorkspace): Promise<string[]> =>
  (await db.rows<{ key: string }>(nextSpeech, [workspaceId])).map(({ key }) => key)

export const deleteSpeech = (
  db: Queries,
  { deletionId, workspaceId }: DeletedWorkspace,
  keys: readonly string[],
) => db.rows(removeSpeech, [deletionId, workspaceId, keys.map((key) => Buffer.from(key, 'hex'))])

/** Everything but the workspace itself, which keeps its id from being used again. */
export async function deleteRest(
  db: Queries,
  deleting: DeletedWorkspace,
  signal: AbortSignal,
): Promise<void> {
  const tables = (await tablesOfWorkspaces(db)).filter(({ whole }) => !withContent.includes(whole))
  const own = tables.map(({ table }): Rows => [table, 'workspace_id = $2'])
  const all = [...(await dependants(db)), ...own].map(removeSome)
  for (const some of [removeEvents, ...all])
    for (let removed = rowsAtOnce; removed === rowsAtOnce; ) {
      signal.throwIfAborted()
      const values = [deleting.deletionId, deleting.workspaceId]
      removed = (await db.row<{ removed: number }>(some, values))?.removed ?? 0
    }
}

export const deleteWorkspace = (db: Queries, { workspaceId }: DeletedWorkspace) =>
  db.rows(removeWorkspace, [workspaceId])
