// Erases callers in the database. Every statement adds what it has removed to the erasure, so that its counts are right
// whenever the process dies.
import { type Queries, statement } from '../../platform/db/db.ts'
import type { JobTable, SettledRow } from '../../platform/jobs/job.ts'
import { sealedColumn } from '../../platform/reseal.ts'

/** What the caller of an erasure is sealed for. */
export const erasurePurpose = 'caller to erase'

export const sealedErasures = sealedColumn('erasures', 'caller', 'erasure_id', erasurePurpose)

export interface ClaimedErasure {
  workspace_id: string
  /** Sealed. */
  caller: Buffer
}

export const erasuresTable: JobTable = {
  table: 'erasures',
  id: 'erasure_id',
  lane: 'workspace_id',
  waiting: 'completed_at IS NULL',
  oldestFirst: true,
  triesColumn: 'tries',
  onClaim: "status = 'in_progress'",
  returning: 'd.workspace_id, d.caller',
}

// Calls are the person's if they were called, called or are named by the client; $2 is the caller, $3 the workspace.
const theirs = `workspace_id = $3 AND caller_of(call_type, from_phone_number, to_phone_number, metadata) = $2`

const expect = statement(`
  UPDATE erasures SET expected = (SELECT count(*) FROM calls WHERE ${theirs}) + calls WHERE erasure_id = $1`)

// Erased recipients are not called any more. Their row stays, empty, because a batch counts its recipients by their
// place. A recipient whose call is not over is erased when it is, since the end of the call may schedule another one.
const emptyRecipients = statement(`
  WITH emptied AS (
    UPDATE batch_recipients SET to_phone_number = '', recipient_id = 'erased-' || place, name = NULL, variables = NULL,
      metadata = NULL, due_at = NULL, updated_at = now(),
      status = CASE WHEN status = 'pending' THEN 'skipped' ELSE status END
    WHERE batch_id = $4 AND status <> 'in_progress' AND caller_key(to_phone_number) = $2
    RETURNING 1
  )
  UPDATE erasures SET recipients = recipients + (SELECT count(*) FROM emptied) WHERE erasure_id = $1 AND $3::uuid IS NOT NULL`)

const batches = statement('SELECT batch_id FROM batches WHERE workspace_id = $1')

// Waiting calls end here; the trigger of a batch settles the recipient.
const cancelWaiting = statement(`
  UPDATE calls SET call_status = 'canceled', call_terminated_by = 'api', hangup_reason = 'api_stopped', duration = 0,
    call_completed_time = now(), tell_at = now() + interval '1 day', due_at = NULL, join_token = NULL, join_by = NULL,
    finished = true, updated_at = now()
  WHERE ${theirs} AND NOT finished AND claimed_by IS NULL AND $1::uuid IS NOT NULL`)

const next = statement(`
  SELECT session_id, recording IS NOT NULL AS recorded FROM calls
  WHERE ${theirs} AND finished AND $1::uuid IS NOT NULL LIMIT 100`)

const running = statement(`
  SELECT count(*)::int AS calls FROM calls WHERE ${theirs} AND $1::uuid IS NOT NULL`)

// An event of an earlier release does not say which call it is of, except in its body.
const eventsOf = statement(`
  SELECT event_id, created_at FROM events WHERE session_id = ANY($1::uuid[])
  UNION ALL
  SELECT event_id, created_at FROM events
  WHERE session_id IS NULL AND workspace_id = $2
    AND substring(payload FROM '"session_id" ?: ?"([0-9a-f-]{36})"') = ANY($1::text[])`)

const mark = statement(
  'INSERT INTO erased_calls (session_id) SELECT unnest($1::uuid[]) ON CONFLICT DO NOTHING',
)

const removeCalls = statement(`
  WITH delivered AS (
    DELETE FROM deliveries WHERE event_id = ANY($3::uuid[]) AND created_at >= $4 RETURNING 1
  ), published AS (
    DELETE FROM events WHERE event_id = ANY($3::uuid[]) RETURNING 1
  ), gone AS (
    DELETE FROM calls WHERE session_id = ANY($2::uuid[]) AND finished RETURNING 1
  )
  UPDATE erasures SET calls = calls + (SELECT count(*) FROM gone), recordings = recordings + $5,
    events = events + (SELECT count(*) FROM published), deliveries = deliveries + (SELECT count(*) FROM delivered)
  WHERE erasure_id = $1`)

const forget = statement(`
  WITH forgotten AS (DELETE FROM caller_memories WHERE workspace_id = $3 AND caller = $2 RETURNING 1)
  UPDATE erasures SET memories = memories + (SELECT count(*) FROM forgotten) WHERE erasure_id = $1`)

// The rule of the database, for calls that are in files only.
const archived = statement(`
  SELECT c.session_id FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
    AS c(session_id, call_type, from_phone_number, to_phone_number, metadata)
  WHERE caller_of(c.call_type, c.from_phone_number, c.to_phone_number, c.metadata::json) = $1`)

const addArchived = statement('UPDATE erasures SET archived = archived + $2 WHERE erasure_id = $1')

// The caller's number is removed with the last step.
const finish = statement(`
  UPDATE erasures SET status = $3, error = $4, caller = NULL, claimed_by = NULL, completed_at = now()
  WHERE erasure_id = $1 AND claimed_by = $2`)

const wait = statement(`
  UPDATE erasures SET status = 'queued', error = $3, claimed_by = NULL, tries = 0,
    due_at = now() + interval '2 seconds'
  WHERE erasure_id = $1 AND claimed_by = $2`)

const pruneMarks = statement(`DELETE FROM erased_calls WHERE erased_at < now() - $1 * interval '1 day'`)

const erased = statement('SELECT session_id FROM erased_calls WHERE session_id = ANY($1::uuid[])')

/** Who is erased, and by which request. */
export interface CallerErasure {
  readonly erasureId: string
  readonly caller: string
  readonly workspaceId: string
}

const valuesOf = ({ erasureId, caller, workspaceId }: CallerErasure) => [erasureId, caller, workspaceId]

export const expectCalls = (db: Queries, erasing: CallerErasure) => db.rows(expect, valuesOf(erasing))

/** Erases batch by batch, each along its own index, because numbers of recipients have none. */
export async function eraseRecipients(
  db: Queries,
  erasing: CallerErasure,
  signal: AbortSignal,
): Promise<void> {
  for (const { batch_id } of await db.rows<{ batch_id: string }>(batches, [erasing.workspaceId])) {
    signal.throwIfAborted()
    await db.rows(emptyRecipients, [...valuesOf(erasing), batch_id])
  }
}

export const cancelWaitingCalls = (db: Queries, erasing: CallerErasure) =>
  db.rows(cancelWaiting, valuesOf(erasing))

export interface CallToErase {
  session_id: string
  recorded: boolean
}

/** Returns some of the calls that have ended. */
export const nextCalls = (db: Queries, erasing: CallerErasure) =>
  db.rows<CallToErase>(next, valuesOf(erasing))

/** Counts the calls that are still there. */
export const callsLeft = async (db: Queries, erasing: CallerErasure): Promise<number> =>
  (await db.row<{ calls: number }>(running, valuesOf(erasing)))?.calls ?? 0

/** Marks calls before their recordings are removed: a process that still has one finds the mark and removes it too. */
export const markErased = (db: Queries, calls: readonly Pick<CallToErase, 'session_id'>[]) =>
  db.rows(mark, [calls.map(({ session_id }) => session_id)])

/** Removes calls with their events, in one statement. Their recordings must be gone already. */
export async function eraseCalls(
  db: Queries,
  { erasureId, workspaceId }: CallerErasure,
  calls: readonly CallToErase[],
): Promise<void> {
  const ids = calls.map(({ session_id }) => session_id)
  const events = await db.rows<{ event_id: string; created_at: Date }>(eventsOf, [ids, workspaceId])
  const oldest = Math.min(Date.now(), ...events.map(({ created_at }) => created_at.getTime()))
  await db.rows(removeCalls, [
    ...[erasureId, ids, events.map(({ event_id }) => event_id), new Date(oldest)],
    calls.filter(({ recorded }) => recorded).length,
  ])
}

/** A call as a file of the archive has it. */
export interface ArchivedCall {
  session_id: string
  workspace_id: string
  call_type: string
  from_phone_number: string | null
  to_phone_number: string | null
  metadata: unknown
}

/** Returns those of the calls that are with the caller. */
export async function archivedOfCaller(
  db: Queries,
  { caller, workspaceId }: CallerErasure,
  calls: readonly (ArchivedCall | undefined)[],
): Promise<readonly Pick<CallToErase, 'session_id'>[]> {
  const own = calls.filter((call) => call?.workspace_id === workspaceId) as ArchivedCall[]
  if (own.length === 0) return []
  return db.rows(archived, [
    ...[caller, own.map(({ session_id }) => session_id), own.map(({ call_type }) => call_type)],
    ...[own.map((call) => call.from_phone_number), own.map((call) => call.to_phone_number)],
    own.map(({ metadata }) => JSON.stringify(metadata)),
  ])
}

export const countErasedRecords = (db: Queries, { erasureId }: CallerErasure, count: number) =>
  db.rows(addArchived, [erasureId, count])

export const eraseMemories = (db: Queries, erasing: CallerErasure) => db.rows(forget, valuesOf(erasing))

export type ErasureEnd =
  | { readonly is: 'completed' }
  | { readonly is: 'failed'; readonly error: string }
  /** A call with the person is under way, or a file of the archive is being written. */
  | { readonly is: 'waiting'; readonly why: string }

export async function settleErasures(db: Queries, settled: readonly SettledRow<ErasureEnd>[]): Promise<void> {
  for (const { id, claimantId, result } of settled) {
    if (result.is === 'waiting') await db.rows(wait, [id, claimantId, result.why])
    else await db.rows(finish, [id, claimantId, result.is, result.is === 'failed' ? result.error : null])
  }
}

/** Returns those of these calls that were erased. */
export async function erasedAmong(db: Queries, sessionIds: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ session_id: string }>(erased, [sessionIds])
  return rows.map(({ session_id }) => session_id)
}

export const pruneErasedCalls = (db: Queries, days: number) => db.rows(pruneMarks, [days])
