// The rules of tools; other resources use them only through this module.
import type {
  NewTool,
  PageQuery,
  StoredTool,
  ToolChange,
  ToolTrial,
  ToolTried,
  ToolType,
  UpdatedTool,
} from '@parley/contract'
import { fail, refuseField } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Work } from '../../http/work.ts'
import type { Db, Queries } from '../../platform/db/db.ts'
import type { Guard } from '../../platform/guard/guard.ts'
import { orTrusted } from '../../platform/guard/rules.ts'
import { newId } from '../../platform/ids.ts'
import type { Vault } from '../../platform/secrets.ts'
import type { ToolTrials } from '../../ports/tools.ts'
import { idsIn, type ReferenceKind } from '../agents/agents.ts'
import { checkHeaders, checkTool } from './check-tool.ts'
import {
  findTool,
  insertTool,
  lockTool,
  pageOfTools,
  removeTool,
  type ToolConfig,
  type ToolRow,
  updateTool,
  usersOfTool,
} from './store.ts'
import { hideToolSecrets } from './tool-secrets.ts'
import { tryTool } from './try-tool.ts'

export { planTool, readTemplate, type ToolOfCall } from './plan-tool.ts'
export { sealedInTools } from './tool-secrets.ts'

export interface ToolParts {
  readonly db: Db
  readonly vault: Vault
  /** Checks the addresses of tools. */
  readonly guard: Pick<Guard, 'inspect'>
  readonly trials: ToolTrials
}

export const tools = ({ db, vault, guard, trials }: ToolParts) => ({
  async create(workspaceId: string, { type, ...wish }: NewTool, work: Work): Promise<StoredTool> {
    const written = withDefaults(type, wish)
    checkTool(type, written)
    await mustBeReachable(guard, written.url)
    const toolId = newId()
    const { config, secrets, warnings } = hideToolSecrets(vault, { workspaceId, id: toolId }, written, null)
    // A new tool has no secret that a mask could stand for.
    if (warnings.length > 0) fail('VALIDATION_ERROR', { details: warnings.map(notMeant) })
    checkHeaders(written)
    const at = new Date()
    const row: ToolRow = { tool_id: toolId, type, config, secrets, created_at: at, updated_at: at }
    work.add(insertTool(workspaceId, row))
    return viewOf(row)
  },

  list: async (workspaceId: string, type: ToolType | undefined, query: PageQuery) =>
    listOf(query, await pageOfTools(db, workspaceId, type, query), viewOf),

  get: async (workspaceId: string, toolId: string): Promise<StoredTool> =>
    viewOf(await find(db, workspaceId, toolId)),

  async update(workspaceId: string, toolId: string, change: ToolChange): Promise<UpdatedTool> {
    // The host is looked up before the row is locked: name servers are slow.
    if (change.url !== undefined) await mustBeReachable(guard, change.url)
    return db.transaction(async (tx) => {
      const before = (await lockTool(tx, workspaceId, toolId)) ?? fail('TOOL_NOT_FOUND')
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      const written = withDefaults(before.type, { ...before.config, ...given } as Wish)
      if (before.type === 'built_in' && written.name !== before.config.name)
        refuseField('name', 'The name of a built-in tool does not change; create another.')
      checkTool(before.type, written)
      checkHeaders(written, before.config)
      const owner = { workspaceId, id: before.tool_id }
      const { config, secrets, warnings } = hideToolSecrets(vault, owner, written, before)
      const after = viewOf(await updateTool(tx, before.tool_id, config, secrets))
      return warnings.length > 0 ? { ...after, warnings: [...warnings] } : after
    })
  },

  /** Refused while agents name it. */
  async remove(workspaceId: string, toolId: string) {
    await db.transaction(async (tx) => {
      const { tool_id } = (await lockTool(tx, workspaceId, toolId)) ?? fail('TOOL_NOT_FOUND')
      const users = await usersOfTool(tx, workspaceId, tool_id, mostNamed + 1)
      if (users.length > 0) fail('RESOURCE_IN_USE', { message: inUseBy(users) })
      await removeTool(tx, tool_id)
    })
    return { tool_id: toolId.toLowerCase(), deleted: true as const }
  },

  try: async (workspaceId: string, toolId: string, trial: ToolTrial): Promise<ToolTried> =>
    tryTool(await find(db, workspaceId, toolId), trial, { vault, trials }),
})

export type Tools = ReturnType<typeof tools>

/** The ids of tools in agents. */
export const toolReference = (db: Queries): ReferenceKind => ({
  field: 'tool_definition_ids',
  name: 'tool',
  existing: idsIn(db, 'tools', 'tool_id'),
})

const usualTimeoutSeconds = 10

type Wish = Omit<NewTool, 'type'>

/** A change may send null for what has a default. */
const withDefaults = (type: ToolType, wish: Wish): ToolConfig => ({
  name: wish.name,
  description: wish.description ?? null,
  parameters: wish.parameters ?? null,
  url: wish.url ?? null,
  method: wish.method ?? (type === 'http' ? 'POST' : null),
  headers: wish.headers ?? null,
  query: wish.query ?? null,
  body: wish.body ?? null,
  tool_names: wish.tool_names ?? null,
  timeout_seconds: wish.timeout_seconds ?? (type === 'built_in' ? null : usualTimeoutSeconds),
  pre_call_message: wish.pre_call_message ?? null,
  save: wish.save ?? null,
})

const find = async (db: Queries, workspaceId: string, toolId: string): Promise<ToolRow> =>
  (await findTool(db, workspaceId, toolId)) ?? fail('TOOL_NOT_FOUND')

const notMeant = ({ path }: { readonly path: string }) => ({
  path,
  message: 'Is how a stored secret is shown, and there is none yet: give it itself.',
})

/** Placeholders are filled in the path and the query only. */
async function mustBeReachable(guard: Pick<Guard, 'inspect'>, url: string | null): Promise<void> {
  const origin = url === null ? undefined : URL.parse(url)?.origin
  if (origin === undefined) return
  const verdict = await guard.inspect(origin)
  if (verdict.ok) return
  const message = orTrusted(verdict, 'tool')
  fail('URL_NOT_PUBLIC', { details: [{ path: 'url', message }] })
}

// Enough to find them; the rest follows.
const mostNamed = 5

function inUseBy(users: readonly { agent_id: string; agent_name: string | null }[]): string {
  const named = users.slice(0, mostNamed).map(({ agent_id, agent_name }) => `${agent_name} (${agent_id})`)
  const more = users.length > mostNamed ? ' and others' : ''
  return `This tool is used by ${named.join(', ')}${more}. Take it out of their tool_definition_ids first.`
}

const viewOf = ({ tool_id, type, config, created_at, updated_at }: ToolRow): StoredTool => ({
  tool_id,
  type,
  ...config,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})
