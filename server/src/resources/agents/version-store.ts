// The versions of agents in the database: the current one is the agent's row, those before are rows of their own.
import { type AgentStatus, keptVersions, type PageQuery } from '@parley/contract'
import { type Queries, statement } from '../../platform/db/db.ts'

export interface VersionRow {
  version: number
  status: AgentStatus
  /** As JSON text. */
  config: string
  secrets: Buffer | null
  author_type: 'key' | 'user' | 'operator' | null
  author_id: string | null
  /** null: the author has been removed. */
  author_name: string | null
  restored_from: number | null
  saved_at: Date
}

const columns = 'version, status, config, secrets, author_type, author_id, restored_from, saved_at'

const read = `
  SELECT v.version, v.status, v.config::text AS config, v.secrets, v.author_type, v.author_id, v.restored_from, v.saved_at,
    author_name(v.author_type, v.author_id)
  FROM (
    SELECT ${columns} FROM agents WHERE agent_id = $1
    UNION ALL
    SELECT ${columns} FROM agent_versions WHERE agent_id = $1
  ) AS v`

const selectPage = statement(`${read} ORDER BY v.version DESC LIMIT $2 OFFSET $3`)

const selectFrom = statement(`${read} WHERE v.version <= $2 ORDER BY v.version DESC LIMIT $3`)

const count = statement('SELECT 1 + count(*)::int AS total FROM agent_versions WHERE agent_id = $1')

const prune = statement(`
  DELETE FROM agent_versions v USING agents a
  WHERE a.agent_id = v.agent_id AND v.version <= a.version - ${keptVersions}
    AND NOT EXISTS (SELECT FROM calls c WHERE c.agent_id = v.agent_id AND c.agent_version = v.version)`)

/** Reads versions, the newest first, and the one after the page, which the last one is compared with. */
export async function pageOfVersions(db: Queries, agentId: string, { page, limit }: PageQuery) {
  const [rows, counted] = await Promise.all([
    db.rows<VersionRow>(selectPage, [agentId, limit + 1, (page - 1) * limit]),
    db.row<{ total: number }>(count, [agentId]),
  ])
  return { rows, total: counted?.total ?? 0 }
}

/** This version, if it is kept, and the one before it. */
export async function findVersion(
  db: Queries,
  agentId: string,
  version: number,
): Promise<{ row: VersionRow; before: VersionRow | undefined } | undefined> {
  const [row, before] = await db.rows<VersionRow>(selectFrom, [agentId, version, 2])
  return row?.version === version ? { row, before } : undefined
}

/** Deletes versions that were no longer among the last ones while a call still named them. */
export const pruneVersions = (db: Queries) => db.rows(prune)
