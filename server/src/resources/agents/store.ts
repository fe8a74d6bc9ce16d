// Agents in the database.
import type { AgentStatus, PageQuery, StoredConfig } from '@parley/contract'
import type { Author } from '../../http/authenticate.ts'
import { listStatements } from '../../http/lists.ts'
import {
  guardedStatement,
  type Queries,
  statement,
  statementOfRows,
  type Write,
} from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'
import type { Hidden, Warning } from './agent-secrets.ts'

/** Serialises an Agent of the contract. */
export const agentJson = ({ agent_id, status, config, version, created_at, updated_at }: AgentRow): string =>
  `{"agent_id":"${agent_id}","agent_config":${configJson(config, status)},"status":"${status}","version":${version},` +
  `"created_at":"${created_at.toISOString()}","updated_at":"${updated_at.toISOString()}"}`

/** A configuration is never empty, so the status can be inserted before its first key. */
export const configJson = (config: string, status: string): string =>
  `{"status":"${status}",${config.slice(1)}`

/** `answer` is an object with at least one key. */
export const withWarnings = (answer: string, warnings: readonly Warning[]): string =>
  warnings.length > 0 ? `${answer.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}` : answer

/** The written configuration. The status is a separate column, because the service changes it too. */
export type AgentConfigJson = Omit<StoredConfig, 'status'>

export interface AgentRow {
  agent_id: string
  status: AgentStatus
  /** As JSON text: reading an agent passes it on unparsed. */
  config: string
  secrets: Buffer | null
  version: number
  /** As JSON text; null: it was never drawn. */
  graph_layout: string | null
  created_at: Date
  updated_at: Date
}

const columns = `agent_id, status, config::text AS config, secrets, version, graph_layout::text AS graph_layout,
  created_at, updated_at`

const insert = statementOfRows(`
  INSERT INTO agents (agent_id, workspace_id, status, config, secrets, author_type, author_id)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::json[], $5::bytea[], $6::text[], $7::uuid[])`)

const select = statement(`SELECT ${columns} FROM agents WHERE agent_id = $1 AND workspace_id = $2`)

const selectEngines = statement(`
  SELECT DISTINCT json_build_object(
    'llm_agent', json_build_object('llm_config', config #> '{llm_agent,llm_config}'),
    'synthesizer', config -> 'synthesizer',
    'transcriber', config -> 'transcriber',
    'api_tools', json_build_object('fallbacks', config #> '{api_tools,fallbacks}')
  )::text AS config FROM agents WHERE workspace_id = $1`)

const selectForUpdate = statement(`${select.text} FOR UPDATE`)

// This lock makes a deletion of the agent wait for us, but not an update.
const keep = statement(`
  SELECT config ->> 'phone_number_id' AS phone_number_id FROM agents
  WHERE agent_id = $1 AND workspace_id = $2 FOR KEY SHARE`)

const demandActive = guardedStatement(
  "SELECT 1 FROM agents WHERE agent_id = $1 AND workspace_id = $2 AND status = 'active'",
)

const page = listStatements(columns, 'agents WHERE workspace_id = $1', 'created_at DESC, agent_id DESC', 1)

const update = statement(`
  UPDATE agents SET config = $2, status = $3, secrets = $4, graph_layout = coalesce($5, graph_layout), updated_at = now()
  WHERE agent_id = $1 RETURNING ${columns}`)

// Counting the version up keeps the one before, see functions/keep-version.sql.
const save = statement(`
  UPDATE agents SET config = $2, status = $3, secrets = $4, graph_layout = coalesce($5, graph_layout), updated_at = now(),
    version = version + 1, author_type = $6, author_id = $7, restored_from = NULL, saved_at = now()
  WHERE agent_id = $1 RETURNING ${columns}`)

const restore = guardedStatement(`
  UPDATE agents SET config = $4, status = $5, secrets = $6, updated_at = $7, version = version + 1, author_type = $8,
    author_id = $9, restored_from = $10, saved_at = $7
  WHERE agent_id = $1 AND workspace_id = $2 AND version = $3 RETURNING agent_id`)

const remove = statement('DELETE FROM agents WHERE agent_id = $1 AND workspace_id = $2 RETURNING agent_id')

export const insertAgent = (
  agentId: string,
  workspaceId: string,
  status: AgentStatus,
  { config, sealed }: Hidden<AgentConfigJson>,
  author: Author,
): Write => ({
  statement: insert,
  values: [agentId, workspaceId, status, JSON.stringify(config), sealed, author.type, author.id],
})

export const findAgent = (db: Queries, workspaceId: string, agentId: string) =>
  db.row<AgentRow>(select, [agentId, workspaceId])

/** What agents say about their engines, without their prompts, each once. */
export const enginesOfAgents = (db: Queries, workspaceId: string) =>
  db.rows<{ config: string }>(selectEngines, [workspaceId])

/** Returns undefined if there is no such agent. Otherwise the agent stays until the transaction ends. */
export const keepAgent = (tx: Pick<Queries, 'row'>, workspaceId: string, agentId: string) =>
  tx.row<{ phone_number_id: string | null }>(keep, [agentId, workspaceId])

/** The writes that this one is combined with are applied only if the agent is active. */
export const ifActive = (workspaceId: string, agentId: string): Write => ({
  statement: demandActive,
  values: [agentId, workspaceId],
})

export const lockAgent = (tx: Queries, workspaceId: string, agentId: string) =>
  tx.row<AgentRow>(selectForUpdate, [agentId, workspaceId])

export const pageOfAgents = (db: Queries, workspaceId: string, query: PageQuery) =>
  readPage<AgentRow>(db, page, [workspaceId], query)

export interface AgentSave {
  readonly status: AgentStatus
  readonly hidden: Hidden<AgentConfigJson>
  /** Absent: as it was. */
  readonly layout?: object | undefined
}

const written = ({ status, hidden, layout }: AgentSave): unknown[] => [
  ...[JSON.stringify(hidden.config), status, hidden.sealed],
  layout ? JSON.stringify(layout) : null,
]

/** Updates without a new version: nothing that calls are made from has changed. */
export const updateAgent = async (tx: Queries, agentId: string, saved: AgentSave) =>
  (await tx.row<AgentRow>(update, [agentId, ...written(saved)])) as AgentRow

/** Saves the agent as a new version. */
export const saveAgent = async (tx: Queries, agentId: string, saved: AgentSave, author: Author) =>
  (await tx.row<AgentRow>(save, [agentId, ...written(saved), author.type, author.id])) as AgentRow

export interface AgentRestore {
  readonly workspaceId: string
  /** The row as it was read: if it has been changed since, nothing is written. */
  readonly before: AgentRow
  readonly version: number
  readonly saved: AgentSave
  readonly author: Author
  readonly at: Date
}

export const restoreAgent = ({ workspaceId, before, version, saved, author, at }: AgentRestore): Write => ({
  statement: restore,
  values: [
    ...[before.agent_id, workspaceId, before.version, JSON.stringify(saved.hidden.config), saved.status],
    ...[saved.hidden.sealed, at, author.type, author.id, version],
  ],
})

export const removeAgent = async (db: Queries, workspaceId: string, agentId: string): Promise<boolean> =>
  (await db.row(remove, [agentId, workspaceId])) !== undefined
