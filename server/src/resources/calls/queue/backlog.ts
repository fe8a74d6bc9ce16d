// The backlog of calls: claimed round robin by workspace and by number; each call is run once, by one process.
import type { CallDirection } from '@parley/contract'
import { liveClaimants } from '../../../platform/db/claim.ts'
import { type Db, type Queries, statement } from '../../../platform/db/db.ts'
import type { ClaimedAgent } from '../plan/agent-of-call.ts'
import type { ClaimedTool } from '../plan/plan-tools.ts'
import type { ClaimedCredentials } from '../plan/read-accounts.ts'
import type { StoredMemory } from '../plan/read-memory.ts'
import type { StoredPronunciation } from '../plan/read-speech.ts'

export interface ClaimedCall extends ClaimedAgent {
  session_id: string
  workspace_id: string
  batch_id: string | null
  call_type: CallDirection
  to_phone_number: string | null
  from_phone_number: string | null
  provider: string | null
  phone_number_id: string | null
  /** The provider of the call's number; null: it has none, or it was deleted. */
  number_provider: string | null
  /** Its agent was switched off since it was placed. */
  agent_inactive: boolean | null
  /** The destinations that the workspace may call; see resources/destinations/. */
  allowed_destinations: string[] | null
  own_countries: (string | null)[] | null
  own_hosts: (string | null)[] | null
  /** The names are between spaces, which no name of a user has. */
  own_users: string | null
  variables: Record<string, string | number | boolean> | null
  metadata: unknown
  /** Whether the call tries a configuration that is not saved. */
  draft: boolean
  /** The tools that the agent names; null: none. */
  tools: ClaimedTool[] | null
  /** The workspace's credentials for vendors; null: none. */
  credentials: ClaimedCredentials[] | null
  /** What agents remember of the caller, newest first. */
  memories: StoredMemory[] | null
  /** The dictionary, the agent's own entries last. */
  pronunciations: StoredPronunciation[] | null
}

// The workspaces with waiting calls, by a loose index scan: one index lookup per workspace.
const waitingWorkspacesCte = `WITH RECURSIVE rooms AS (
    (SELECT workspace_id FROM calls WHERE due_at IS NOT NULL ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT c.workspace_id FROM calls c WHERE c.due_at IS NOT NULL AND c.workspace_id > rooms.workspace_id
            ORDER BY c.workspace_id LIMIT 1)
    FROM rooms WHERE rooms.workspace_id IS NOT NULL
  )`

// Round robin, starting after the workspace served last.
const waitingWorkspaces = statement(`
  ${waitingWorkspacesCte}
  SELECT workspace_id FROM rooms
  WHERE workspace_id IS NOT NULL
    AND EXISTS (SELECT 1 FROM calls c WHERE c.workspace_id = rooms.workspace_id AND c.due_at <= now())
  ORDER BY workspace_id <= $1, workspace_id`)

// Advisory locks have two keys; this first one is for counting the calls of a workspace.
const lockClass = 72_706

// Until we commit, no other process counts or claims calls of this workspace, so the limits hold across processes. A
// separate statement: the next one must see what was committed before the lock was acquired.
export const lockWorkspace = statement(`SELECT pg_advisory_xact_lock(${lockClass}, hashtext($1::text))`)

// Ids are compared as text: what an agent has there may be anything.
const toolsOfAgent = `CASE WHEN json_typeof(a.config -> 'tool_definition_ids') = 'array' THEN (
      SELECT json_agg(json_build_object('tool_id', t.tool_id, 'type', t.type, 'config', t.config, 'secrets', t.secrets))
      FROM tools t WHERE t.workspace_id = c.workspace_id AND t.tool_id::text IN (
        SELECT lower(id) FROM json_array_elements_text(a.config -> 'tool_definition_ids') AS named(id))) END`

/** The agent's version for a call being claimed; `call` names its row in the statement. A draft has none. */
export const versionOfAgent = (call: string) =>
  `(SELECT g.version FROM agents g WHERE g.agent_id = ${call}.agent_id AND g.workspace_id = ${call}.workspace_id
    AND NOT ${call}.draft)`

const credentialsOfWorkspace = `(
      SELECT json_agg(json_build_object('vendor', v.vendor, 'sealed', v.sealed, 'base_url', v.base_url,
          'base_urls', v.base_urls))
      FROM vendor_credentials v WHERE v.workspace_id = c.workspace_id)`

/** The tail of a claiming statement: marks the calls in `claimed`, which has all their columns, as initiated. */
export const initiated = `told AS (
    INSERT INTO call_events (session_id, seq, type, data)
    SELECT session_id, 2, 'status', '{"call_status":"initiated"}' FROM claimed
    ON CONFLICT DO NOTHING
  ), peaked AS (
    INSERT INTO concurrency_peaks (workspace_id, at, calls)
    SELECT c.workspace_id, date_bin('15 minutes', now(), '2000-01-01Z'), count(*) + (
      SELECT count(*) FROM calls live WHERE live.claimed_by IS NOT NULL AND live.workspace_id = c.workspace_id
        AND live.session_id NOT IN (SELECT session_id FROM claimed))
    FROM claimed c GROUP BY c.workspace_id
    ON CONFLICT (workspace_id, at) DO UPDATE SET calls = EXCLUDED.calls WHERE concurrency_peaks.calls < EXCLUDED.calls
  )
  SELECT c.session_id, c.workspace_id, c.agent_id, c.batch_id, c.call_type, c.to_phone_number, c.from_phone_number, c.provider,
    c.phone_number_id, n.provider AS number_provider, c.variables, c.metadata, c.agent_overrides, c.draft,
    a.config::text AS agent, a.secrets, current.status = 'inactive' AS agent_inactive, w.allowed_destinations,
    own.countries AS own_countries, own.hosts AS own_hosts, own.users AS own_users, known.memories,
    said.pronunciations, ${toolsOfAgent} AS tools, ${credentialsOfWorkspace} AS credentials
  FROM claimed c LEFT JOIN agents current USING (workspace_id, agent_id) LEFT JOIN workspaces w USING (workspace_id)
    -- A call that another process goes on with keeps the version that it began with.
    LEFT JOIN agent_versions v ON v.agent_id = c.agent_id AND v.version = c.agent_version
    LEFT JOIN call_drafts d ON c.draft AND d.session_id = c.session_id
    LEFT JOIN LATERAL (
      SELECT CASE WHEN c.draft THEN d.config ELSE coalesce(v.config, current.config) END AS config,
        CASE WHEN c.draft THEN d.secrets WHEN v.version IS NULL THEN current.secrets ELSE v.secrets END AS secrets
      WHERE CASE WHEN c.draft THEN d.session_id ELSE current.agent_id END IS NOT NULL) a ON true
    LEFT JOIN LATERAL (
      SELECT array_agg(DISTINCT country) AS countries, array_agg(DISTINCT host) AS hosts,
        string_agg(array_to_string(inbound_users, ' '), ' ') AS users FROM phone_numbers
      WHERE workspace_id = c.workspace_id AND provider <> 'sandbox' AND status = 'active') own ON true
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object('agentId', m.agent_id, 'calls', m.calls, 'calledAt', m.called_at,
        'summary', m.summary, 'facts', m.facts) ORDER BY m.called_at DESC) AS memories
      FROM caller_memories m
      WHERE m.workspace_id = c.workspace_id
        AND m.caller = caller_of(c.call_type, c.from_phone_number, c.to_phone_number, c.metadata)
        AND m.called_at > now() - coalesce(w.memory_days, 3650) * interval '1 day') known ON true
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object('written', p.written, 'sayAs', p.say_as, 'ipa', p.ipa, 'language', p.language)
        ORDER BY p.agent_id IS NOT NULL, p.created_at) AS pronunciations
      FROM pronunciations p
      WHERE p.workspace_id = c.workspace_id AND (p.agent_id IS NULL OR p.agent_id = c.agent_id)) said ON true
    LEFT JOIN phone_numbers n ON n.phone_number_id = c.phone_number_id AND n.workspace_id = c.workspace_id`

/** How many calls a number may have now: `number` is a row of phone_numbers, or nulls; `most` the operator's limit. */
export const roomOnNumber = (number: string, written: string, workspace: string, most: string) => `
  greatest(0, least(${most}, coalesce(${number}.max_concurrency, ${most})) - (
    SELECT count(*) FROM calls live
    WHERE live.claimed_by IS NOT NULL AND live.workspace_id = ${workspace} AND live.from_phone_number = ${written}) - (
    SELECT count(*) FROM calls live
    WHERE live.claimed_by IS NOT NULL AND live.call_type = 'inbound' AND live.phone_number_id = ${number}.phone_number_id))`

/** How many more calls the workspace may run now: none once a limit of the day is reached. */
export const roomInWorkspace = (workspace: string, most: string) => `
  CASE WHEN limit_reached(${workspace}) IS NOT NULL THEN 0 ELSE
  greatest(0, least(${most}, (SELECT max_concurrency FROM workspaces WHERE workspace_id = ${workspace})) - (
    SELECT count(*) FROM calls live WHERE live.claimed_by IS NOT NULL AND live.workspace_id = ${workspace})) END`

// Leaves a notice for the people of the workspace, if a caller was turned away because of its limit.
const noteFull = statement(`
  SELECT add_notice($1, 'max_concurrency', most, live.calls)
  FROM workspaces w CROSS JOIN LATERAL (SELECT least($2, w.max_concurrency) AS most) AS allowed CROSS JOIN LATERAL (
    SELECT count(*) AS calls FROM calls c WHERE c.workspace_id = $1 AND c.claimed_by IS NOT NULL) AS live
  WHERE w.workspace_id = $1 AND live.calls >= most`)

export const noteFullWorkspace = (tx: Queries, workspaceId: string, perWorkspace: number) =>
  tx.rows(noteFull, [workspaceId, perWorkspace])

const today = `(now() AT TIME ZONE 'UTC')::date`

// `budget`: how many may still be dialled in this minute and on this day; null: the workspace has no such limit.
// Simulated calls cost nothing and do not count.
const claim = statement(`
  WITH RECURSIVE capped AS MATERIALIZED (
    SELECT least(
      w.calls_per_minute - CASE WHEN d.minute = date_trunc('minute', now()) THEN d.in_minute ELSE 0 END,
      w.calls_per_day - CASE WHEN d.day = ${today} THEN d.in_day ELSE 0 END) AS budget
    FROM workspaces w LEFT JOIN dialled_calls d USING (workspace_id) WHERE w.workspace_id = $2
  ), numbers AS (
    (SELECT coalesce(from_phone_number, '') AS number FROM calls
     WHERE workspace_id = $2 AND due_at IS NOT NULL ORDER BY 1 LIMIT 1)
    UNION ALL
    SELECT (SELECT coalesce(c.from_phone_number, '') FROM calls c
            WHERE c.workspace_id = $2 AND c.due_at IS NOT NULL AND coalesce(c.from_phone_number, '') > numbers.number
            ORDER BY 1 LIMIT 1)
    FROM numbers WHERE numbers.number IS NOT NULL
  ), picked AS (
    SELECT session_id FROM (
      SELECT due.*, count(*) FILTER (WHERE NOT due.simulated) OVER (ORDER BY due.due_at, due.session_id) AS dialled
      FROM numbers LEFT JOIN phone_numbers n ON n.workspace_id = $2 AND n.phone_number = numbers.number
      CROSS JOIN LATERAL (
        SELECT c.session_id, c.due_at, c.provider IS NOT DISTINCT FROM 'sandbox' AS simulated FROM calls c
        WHERE c.workspace_id = $2 AND coalesce(c.from_phone_number, '') = numbers.number AND c.due_at <= now()
          AND (c.provider = 'sandbox' OR coalesce((SELECT budget FROM capped), 1) > 0)
        ORDER BY c.due_at
        -- The limit per number does not apply to calls without one.
        LIMIT CASE numbers.number WHEN '' THEN $3 ELSE least($3, ${roomOnNumber('n', 'numbers.number', '$2', '$5')}) END
        FOR UPDATE SKIP LOCKED
      ) AS due
    ) AS waiting
    WHERE simulated OR dialled <= coalesce((SELECT budget FROM capped), dialled)
    ORDER BY due_at, session_id
    LIMIT least($3, ${roomInWorkspace('$2', '$4')})
  ), claimed AS (
    UPDATE calls c SET claimed_by = $1, due_at = NULL, call_status = 'initiated', call_initiated_time = now(),
      agent_version = ${versionOfAgent('c')}, updated_at = now()
    FROM picked WHERE c.session_id = picked.session_id
    RETURNING c.*
  ), counted AS (
    INSERT INTO dialled_calls (workspace_id, minute, in_minute, day, in_day)
    SELECT $2, date_trunc('minute', now()), count(*), ${today}, count(*) FROM claimed
    WHERE provider IS DISTINCT FROM 'sandbox' AND (SELECT budget FROM capped) IS NOT NULL
    HAVING count(*) > 0
    ON CONFLICT (workspace_id) DO UPDATE SET
      in_minute = EXCLUDED.in_minute
        + CASE WHEN dialled_calls.minute = EXCLUDED.minute THEN dialled_calls.in_minute ELSE 0 END,
      in_day = EXCLUDED.in_day + CASE WHEN dialled_calls.day = EXCLUDED.day THEN dialled_calls.in_day ELSE 0 END,
      minute = EXCLUDED.minute, day = EXCLUDED.day
  ), ${initiated}`)

/** The sequence number of the first event after the claim. */
export const firstSeq = 3

const nextDue = statement(`
  ${waitingWorkspacesCte}
  SELECT extract(epoch FROM min(first.due_at) - now()) * 1000 AS ms
  FROM rooms CROSS JOIN LATERAL (
    SELECT c.due_at FROM calls c
    WHERE c.workspace_id = rooms.workspace_id AND c.due_at > now() ORDER BY c.due_at LIMIT 1) AS first`)

const asked = statement(`
  SELECT session_id FROM calls WHERE claimed_by = $1 AND stop_asked_at IS NOT NULL`)

// After a reconnection our claimant id is new. Calls that nobody swept or went on with meanwhile are claimed again
// under it.
const keep = statement(`
  UPDATE calls SET claimed_by = $1 WHERE session_id = ANY($2::uuid[]) AND claimed_by = ANY($3::integer[])
  RETURNING session_id`)

// Calls claimed by us that we do not know of: the response to our claim was lost. They were not dialled, so they go
// back to the queue. Its arrival was refused meanwhile, so the call of a browser or from a telephone ends.
const releaseUnknown = statement(`
  UPDATE calls SET claimed_by = NULL, call_status = 'queued', updated_at = now(),
    due_at = CASE WHEN call_type = 'outbound' THEN now() END,
    join_by = CASE WHEN call_type <> 'outbound' THEN now() END
  WHERE claimed_by = $1 AND session_id <> ALL($2::uuid[])`)

const dead = statement(`
  SELECT DISTINCT claimed_by FROM calls WHERE claimed_by IS NOT NULL AND claimed_by NOT IN (${liveClaimants})`)

// Calls that another process may go on with are left to it for a while.
const held = statement(`
  SELECT session_id, call_initiated_time FROM calls c
  WHERE claimed_by = $1 AND ($3 OR NOT EXISTS (SELECT FROM call_states s WHERE s.session_id = c.session_id)) LIMIT $2`)

export interface Limits {
  /** Concurrent calls of one workspace, across all processes. */
  readonly perWorkspace: number
  /** How many of these may be from one number. */
  readonly perNumber: number
}

export interface ClaimRequest extends Limits {
  readonly claimantId: number
  readonly workspaceId: string
  readonly most: number
}

/** Every workspace with calls due, starting after `after`. */
export async function workspacesWithCallsDue(db: Queries, after: string): Promise<string[]> {
  const rows = await db.rows<{ workspace_id: string }>(waitingWorkspaces, [after])
  return rows.map(({ workspace_id }) => workspace_id)
}

export const claimCalls = (
  db: Db,
  { claimantId, workspaceId, most, perWorkspace, perNumber }: ClaimRequest,
) =>
  db.transaction(async (tx) => {
    await tx.rows(lockWorkspace, [workspaceId])
    return tx.rows<ClaimedCall>(claim, [claimantId, workspaceId, most, perWorkspace, perNumber])
  })

/** Milliseconds until the next call is due; undefined if none is scheduled. */
export async function untilNextCall(db: Queries): Promise<number | undefined> {
  const row = await db.row<{ ms: string | null }>(nextDue)
  return row?.ms == null ? undefined : Number(row.ms)
}

/** The calls of this claimant that are to be stopped. */
export async function callsToStop(db: Queries, claimantId: number): Promise<string[]> {
  const rows = await db.rows<{ session_id: string }>(asked, [claimantId])
  return rows.map(({ session_id }) => session_id)
}

/** Those of these calls that are still ours, now under the new id. */
export async function keepCalls(
  db: Queries,
  claimantId: number,
  { sessionIds, formerIds }: { sessionIds: readonly string[]; formerIds: readonly number[] },
): Promise<Set<string>> {
  const rows = await db.rows<{ session_id: string }>(keep, [claimantId, sessionIds, formerIds])
  return new Set(rows.map(({ session_id }) => session_id))
}

/** `known` are the calls this process is running. */
export const releaseUnknownCalls = (db: Queries, claimantId: number, known: readonly string[]) =>
  db.rows(releaseUnknown, [claimantId, known])

/** Claimants that hold calls and are no longer alive. */
export async function deadClaimants(db: Queries): Promise<number[]> {
  return (await db.rows<{ claimed_by: number }>(dead)).map(({ claimed_by }) => claimed_by)
}

export interface LostCall {
  session_id: string
  call_initiated_time: Date
}

/** `resumable`: also those that another process could go on with. */
export const callsHeldBy = (db: Queries, claimantId: number, most: number, resumable: boolean) =>
  db.rows<LostCall>(held, [claimantId, most, resumable])
