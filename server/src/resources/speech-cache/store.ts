// Which speech is kept, in the database; and which agents' sentences are to be synthesized.
import { type Queries, statement } from '../../platform/db/db.ts'
import type { JobTable, SettledRow } from '../../platform/jobs/job.ts'
import type { AccountPlan } from '../../ports/call-plan.ts'

const select = statement(`
  SELECT encode(key, 'hex') AS key, bytes, used_at < now() - interval '10 minutes' AS is_stale
  FROM cached_speech WHERE workspace_id = $1 AND key = ANY($2::bytea[]) AND is_stored`)

// A use is stored when the last one is ten minutes old: often enough to tell used speech from unused.
const touch = statement(`
  UPDATE cached_speech SET used_at = now() WHERE workspace_id = $1 AND key = ANY($2::bytea[])`)

const reserve = statement(`
  INSERT INTO cached_speech AS c (workspace_id, key, bytes) VALUES ($1, $2, $3)
  ON CONFLICT (workspace_id, key) DO UPDATE SET bytes = excluded.bytes, used_at = now()
  WHERE NOT c.is_stored RETURNING 1 AS ours`)

const confirm = statement(
  'UPDATE cached_speech SET is_stored = true WHERE workspace_id = $1 AND key = $2 RETURNING 1 AS kept',
)

const forget = statement('DELETE FROM cached_speech WHERE workspace_id = $1 AND key = ANY($2::bytea[])')

const total = statement('SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM cached_speech')

// Rows in use are skipped, and so are those that another process is evicting. All speech of a workspace that is gone
// is evicted.
const evict = statement(`
  DELETE FROM cached_speech WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM (
      SELECT c.ctid, sum(c.bytes) OVER (ORDER BY c.used_at, c.key) - c.bytes AS before_bytes,
        EXISTS (SELECT FROM workspaces w WHERE w.workspace_id = c.workspace_id) AS is_owned
      FROM cached_speech c
    ) AS oldest
    WHERE before_bytes < $1 OR NOT is_owned
    LIMIT $2))
  RETURNING workspace_id, encode(key, 'hex') AS key`)

export interface FoundSpeech {
  key: string
  bytes: number
  is_stale: boolean
}

const asBytes = (keys: readonly string[]) => keys.map((key) => Buffer.from(key, 'hex'))

export const findSpeech = (db: Queries, workspaceId: string, keys: readonly string[]) =>
  db.rows<FoundSpeech>(select, [workspaceId, asBytes(keys)])

export const touchSpeech = (db: Queries, workspaceId: string, keys: readonly string[]) =>
  db.rows(touch, [workspaceId, asBytes(keys)])

/** False: it is there already. */
export const reserveSpeech = async (db: Queries, workspaceId: string, key: string, bytes: number) =>
  (await db.row(reserve, [workspaceId, Buffer.from(key, 'hex'), bytes])) !== undefined

/** False: it was evicted while it was stored. */
export const confirmSpeech = async (db: Queries, workspaceId: string, key: string) =>
  (await db.row(confirm, [workspaceId, Buffer.from(key, 'hex')])) !== undefined

export const forgetSpeech = (db: Queries, workspaceId: string, keys: readonly string[]) =>
  db.rows(forget, [workspaceId, asBytes(keys)])

export const speechBytes = async (db: Queries): Promise<number> =>
  Number((await db.row<{ bytes: string }>(total))?.bytes ?? 0)

/** The least recently used, until so many bytes are free. */
export const evictSpeech = (db: Queries, bytes: number, most: number) =>
  db.rows<{ workspace_id: string; key: string }>(evict, [bytes, most])

export interface ClaimedWarmUp {
  workspace_id: string
  revision: number
  /** The agent, as the plan of a call reads it. */
  agent: string | null
  secrets: Buffer | null
  /** As a claimed call has them. */
  pronunciations: Dictionary | null
  credentials: SealedCredentials | null
}

/** The workspace's credentials for vendors. */
export type SealedCredentials = {
  readonly vendor: string
  readonly sealed: string
  readonly base_url: string | null
  readonly base_urls: AccountPlan['baseUrls'] | null
}[]

/** The pronunciation dictionary, the agent's own entries last. */
export type Dictionary = {
  readonly written: string
  readonly sayAs: string | null
  readonly ipa: string | null
  readonly language: string | null
}[]

export const warmUpsTable: JobTable = {
  table: 'speech_warm_ups',
  id: 'agent_id',
  lane: 'workspace_id',
  waiting: 'due_at IS NOT NULL',
  turns: 'fewest-first',
  triesColumn: 'tries',
  returning: 'd.workspace_id, d.revision',
  joined: {
    columns: `a.config::text AS agent, a.secrets,
      (SELECT json_agg(json_build_object('written', p.written, 'sayAs', p.say_as, 'ipa', p.ipa, 'language', p.language)
          ORDER BY p.agent_id IS NOT NULL, p.created_at)
        FROM pronunciations p
        WHERE p.workspace_id = c.workspace_id AND (p.agent_id IS NULL OR p.agent_id = c.job_id)) AS pronunciations,
      (SELECT json_agg(json_build_object('vendor', v.vendor, 'sealed', v.sealed, 'base_url', v.base_url,
          'base_urls', v.base_urls))
        FROM vendor_credentials v WHERE v.workspace_id = c.workspace_id) AS credentials`,
    from: 'LEFT JOIN agents a ON a.agent_id = c.job_id',
  },
}

/** `revision`: the wish that was fulfilled; null: not known. A later one stays due. */
export interface WarmUpEnd {
  readonly revision: number | null
  readonly error: string | null
}

const settle = statement(`
  UPDATE speech_warm_ups SET claimed_by = NULL, warmed_at = now(), error = $4, tries = 0,
    due_at = CASE WHEN revision = coalesce($3, revision) THEN NULL ELSE now() END
  WHERE agent_id = $1 AND claimed_by = $2`)

export async function settleWarmUps(db: Queries, settled: readonly SettledRow<WarmUpEnd>[]): Promise<void> {
  for (const { id, claimantId, result } of settled)
    await db.rows(settle, [id, claimantId, result.revision, result.error])
}

// A call that misses a sentence asks for a warm-up, though it may be a sentence that cannot be kept.
const ask = statement(`
  UPDATE speech_warm_ups SET due_at = now(), tries = 0, revision = revision + 1
  WHERE agent_id = $1 AND due_at IS NULL AND warmed_at < now() - interval '10 minutes'`)

export const askForWarmUp = (db: Queries, agentId: string) => db.rows(ask, [agentId])
