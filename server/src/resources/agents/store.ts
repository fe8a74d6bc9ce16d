// Agents in the database.
import type { AgentStatus, PageQuery, StoredConfig } from '@parley/contract'
import {
  guardedStatement,
  type Queries,
  statement,
  statementOfRows,
  type Write,
} from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'
import type { Hidden } from './agent-secrets.ts'

/** The written configuration. The status is a separate column, because the service changes it too. */
export type Config = Omit<StoredConfig, 'status'>

export interface AgentRow {
  agent_id: string
  status: AgentStatus
  /** As JSON text: reading an agent passes it on unparsed. */
  config: string
  secrets: Buffer | null
  created_at: Date
  updated_at: Date
}

const columns = 'agent_id, status, config::text AS config, secrets, created_at, updated_at'

const insert = statementOfRows(`
  INSERT INTO agents (agent_id, workspace_id, status, config, secrets)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::json[], $5::bytea[])`)

const select = statement(`SELECT ${columns} FROM agents WHERE agent_id = $1 AND workspace_id = $2`)

const selectForUpdate = statement(`${select.text} FOR UPDATE`)

// Its deletion waits for us, its update does not.
const keep = statement(`
  SELECT config ->> 'phone_number_id' AS phone_number_id FROM agents
  WHERE agent_id = $1 AND workspace_id = $2 FOR KEY SHARE`)

const demandActive = guardedStatement(
  "SELECT 1 FROM agents WHERE agent_id = $1 AND workspace_id = $2 AND status = 'active'",
)

const selectPage = statement(`
  SELECT ${columns} FROM agents WHERE workspace_id = $1
  ORDER BY created_at DESC, agent_id DESC LIMIT $2 OFFSET $3`)

const count = statement('SELECT count(*)::int AS total FROM agents WHERE workspace_id = $1')

const update = statement(`
  UPDATE agents SET config = $2, status = $3, secrets = $4, updated_at = now() WHERE agent_id = $1 RETURNING ${columns}`)

const remove = statement('DELETE FROM agents WHERE agent_id = $1 AND workspace_id = $2 RETURNING agent_id')

export const insertAgent = (
  agentId: string,
  workspaceId: string,
  status: AgentStatus,
  { config, sealed }: Hidden<Config>,
): Write => ({
  statement: insert,
  values: [agentId, workspaceId, status, JSON.stringify(config), sealed],
})

export const findAgent = (db: Queries, workspaceId: string, agentId: string) =>
  db.row<AgentRow>(select, [agentId, workspaceId])

/** Undefined if there is none. Otherwise it is there until the transaction ends. */
export const keepAgent = (tx: Pick<Queries, 'row'>, workspaceId: string, agentId: string) =>
  tx.row<{ phone_number_id: string | null }>(keep, [agentId, workspaceId])

/** What it is combined with is written only if the agent is active. */
export const ifActive = (workspaceId: string, agentId: string): Write => ({
  statement: demandActive,
  values: [agentId, workspaceId],
})

export const lockAgent = (tx: Queries, workspaceId: string, agentId: string) =>
  tx.row<AgentRow>(selectForUpdate, [agentId, workspaceId])

export const pageOfAgents = (db: Queries, workspaceId: string, query: PageQuery) =>
  readPage<AgentRow>(db, { select: selectPage, count }, [workspaceId], query)

export const updateAgent = async (
  tx: Queries,
  agentId: string,
  { config, sealed }: Hidden<Config>,
  status: AgentStatus,
) => (await tx.row<AgentRow>(update, [agentId, JSON.stringify(config), status, sealed])) as AgentRow

export const removeAgent = async (db: Queries, workspaceId: string, agentId: string): Promise<boolean> =>
  (await db.row(remove, [agentId, workspaceId])) !== undefined
