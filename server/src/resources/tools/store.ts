// Tools in the database.
import type { PageQuery, StoredTool, ToolType } from '@parley/contract'
import { listStatements } from '../../http/lists.ts'
import { type Queries, statement, type Write } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

/** Everything but the columns of its own. Secrets are masked. */
export type ToolConfig = Omit<StoredTool, 'tool_id' | 'type' | 'created_at' | 'updated_at'>

export interface ToolRow {
  tool_id: string
  type: ToolType
  config: ToolConfig
  secrets: Buffer | null
  created_at: Date
  updated_at: Date
}

const columns = 'tool_id, type, config, secrets, created_at, updated_at'

const insert = statement(`
  INSERT INTO tools (tool_id, workspace_id, type, config, secrets, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $6)`)

const select = statement(`SELECT ${columns} FROM tools WHERE tool_id = $1 AND workspace_id = $2`)

const selectForUpdate = statement(`${select.text} FOR UPDATE`)

const page = listStatements(
  columns,
  'tools WHERE workspace_id = $1 AND ($2::text IS NULL OR type = $2)',
  'created_at DESC, tool_id DESC',
  2,
)

const update = statement(`
  UPDATE tools SET config = $2, secrets = $3, updated_at = now() WHERE tool_id = $1 RETURNING ${columns}`)

const remove = statement('DELETE FROM tools WHERE tool_id = $1')

// As text: ids are kept as they were written.
const users = statement(`
  SELECT agent_id, config ->> 'agent_name' AS agent_name FROM agents
  WHERE workspace_id = $1 AND lower((config -> 'tool_definition_ids')::text) LIKE '%"' || $2::text || '"%'
  ORDER BY created_at, agent_id LIMIT $3`)

export const insertTool = (workspaceId: string, row: ToolRow): Write => ({
  statement: insert,
  values: [row.tool_id, workspaceId, row.type, JSON.stringify(row.config), row.secrets, row.created_at],
})

export const findTool = (db: Queries, workspaceId: string, toolId: string) =>
  db.row<ToolRow>(select, [toolId, workspaceId])

export const lockTool = (tx: Queries, workspaceId: string, toolId: string) =>
  tx.row<ToolRow>(selectForUpdate, [toolId, workspaceId])

export const pageOfTools = (db: Queries, workspaceId: string, type: ToolType | undefined, query: PageQuery) =>
  readPage<ToolRow>(db, page, [workspaceId, type ?? null], query)

export const updateTool = async (
  tx: Queries,
  toolId: string,
  config: ToolConfig,
  secrets: Buffer | null,
): Promise<ToolRow> => (await tx.row<ToolRow>(update, [toolId, JSON.stringify(config), secrets])) as ToolRow

export const removeTool = (tx: Queries, toolId: string) => tx.rows(remove, [toolId])

/** The agents that name it, oldest first. */
export const usersOfTool = (tx: Queries, workspaceId: string, toolId: string, most: number) =>
  tx.rows<{ agent_id: string; agent_name: string | null }>(users, [workspaceId, toolId, most])
