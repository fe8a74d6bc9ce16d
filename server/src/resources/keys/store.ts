// API keys in the database, by hash only.
import type { PageQuery, Role } from '@parley/contract'
import { listStatements } from '../../http/lists.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

export interface KeyRow {
  api_key_id: string
  label: string
  prefix: string
  workspace_id: string | null
  access: string[]
  role: Role | null
  active: boolean
  created_at: Date
  last_used_at: Date | null
}

export interface NewKey {
  apiKeyId: string
  hash: Buffer
  prefix: string
  label: string
  workspaceId: string | null
  access: string[]
  role: Role | null
  setting: string | null
}

const columns = `
  api_key_id, label, prefix, workspace_id, role, active, created_at, last_used_at,
  ARRAY(SELECT workspace_id FROM api_key_access a JOIN workspaces w USING (workspace_id)
    WHERE a.api_key_id = k.api_key_id ORDER BY w.created_at, workspace_id) AS access`

// Visible to a user with these workspaces ($1; null: all): keys bound to one of them, and unbound keys that reach
// nothing else.
const visible = `
  ($1::uuid[] IS NULL OR workspace_id = ANY($1) OR (workspace_id IS NULL AND NOT EXISTS (
    SELECT 1 FROM api_key_access a WHERE a.api_key_id = k.api_key_id AND a.workspace_id <> ALL($1))))`

const insert = statement(`
  WITH made AS (
    INSERT INTO api_keys (api_key_id, hash, prefix, label, workspace_id, setting, role)
    VALUES ($1, $2, $3, $4, $5, $6, $8)
    ON CONFLICT (hash) DO UPDATE SET active = true, workspace_id = EXCLUDED.workspace_id, setting = EXCLUDED.setting
    RETURNING api_key_id
  )
  INSERT INTO api_key_access (api_key_id, workspace_id)
  SELECT made.api_key_id, granted FROM made, unnest($7::uuid[]) AS granted ON CONFLICT DO NOTHING`)

const selectByHash = statement(`SELECT ${columns} FROM api_keys k WHERE hash = $1`)

const page = listStatements(columns, `api_keys k WHERE ${visible}`, 'created_at DESC, api_key_id DESC', 1)

const selectOne = statement(`SELECT ${columns} FROM api_keys k WHERE ${visible} AND api_key_id = $2`)

// The notification clears the key cache of every process. It is sent with the change or not at all.
const update = statement(`
  WITH changed AS (
    UPDATE api_keys k SET label = coalesce($3, label), active = coalesce($4, active)
    WHERE ${visible} AND api_key_id = $2 RETURNING ${columns})
  SELECT changed.*, pg_notify('api_keys', '') FROM changed`)

const revokeFormer = statement(
  'UPDATE api_keys SET active = false WHERE setting = $1 AND hash <> $2 AND active',
)

const touch = statement(`
  UPDATE api_keys k SET last_used_at = used.at
  FROM unnest($1::uuid[], $2::timestamptz[]) AS used(id, at)
  WHERE k.api_key_id = used.id AND (k.last_used_at IS NULL OR k.last_used_at < used.at)`)

const notifyChanged = statement("SELECT pg_notify('api_keys', '')")

export async function insertKey(db: Queries, key: NewKey): Promise<void> {
  await db.rows(insert, [
    key.apiKeyId,
    key.hash,
    key.prefix,
    key.label,
    key.workspaceId,
    key.setting,
    key.access,
    key.role,
  ])
}

export const findKeyByHash = (db: Queries, hash: Buffer) => db.row<KeyRow>(selectByHash, [hash])

export const pageOfKeys = (db: Queries, visibleIds: string[] | null, query: PageQuery) =>
  readPage<KeyRow>(db, page, [visibleIds], query)

/** Undefined if there is no such key among the visible ones. */
export const findKey = (db: Queries, visibleIds: string[] | null, apiKeyId: string) =>
  db.row<KeyRow>(selectOne, [visibleIds, apiKeyId])

export interface KeyChange {
  readonly label?: string | undefined
  readonly active?: boolean | undefined
}

/** Undefined if there is no such key among the visible ones. */
export const updateKey = (
  db: Queries,
  visibleIds: string[] | null,
  apiKeyId: string,
  { label, active }: KeyChange,
) => db.row<KeyRow>(update, [visibleIds, apiKeyId, label ?? null, active ?? null])

export const revokeFormerKeys = (db: Queries, setting: string, hash: Buffer) =>
  db.rows(revokeFormer, [setting, hash])

export const touchKeys = (db: Queries, used: ReadonlyMap<string, Date>) =>
  db.rows(touch, [[...used.keys()], [...used.values()]])

/** Clears the key cache of every process. */
export const notifyKeysChanged = (db: Queries) => db.rows(notifyChanged)
