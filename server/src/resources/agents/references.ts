// The ids of other resources in an agent's configuration, checked when it is written.
import type { Fault } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import { type Queries, statement } from '../../platform/db/db.ts'
import type { JudgeKeyterms } from '../../ports/agent-keyterms.ts'
import type { JudgeLanguage } from '../../ports/agent-language.ts'
import type { JudgeOptions } from '../../ports/own-options.ts'

/** The fields that hold ids. */
export type ReferenceField = 'repository_ids' | 'tool_definition_ids' | 'phone_number_id'

/** A resource that agents refer to. The ids of a field without one are stored as they are. */
export interface ReferenceKind {
  readonly field: ReferenceField
  /** The name of the resource in words, as in "There is no repository with this id." */
  readonly name: string
  /** Returns those of the ids that are in the workspace. */
  existing(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Whether an agent that refers to these has to wait before it takes calls. Absent: never. Asked within a
   * transaction.
   */
  seeding?(queries: Queries, ids: readonly string[]): Promise<boolean>
}

/** Finds ids in the table of a resource. */
export function idsIn(db: Queries, table: string, column: string): ReferenceKind['existing'] {
  const select = statement(
    `SELECT ${column} AS id FROM ${table} WHERE workspace_id = $1 AND ${column} = ANY($2::uuid[])`,
  )
  return async (workspaceId, ids) =>
    new Set((await db.rows<{ id: string }>(select, [workspaceId, ids])).map(({ id }) => id))
}

/** What a configuration is checked against besides the contract. */
export interface AgentChecks {
  /** The resources that agents refer to. */
  readonly references?: readonly ReferenceKind[]
  /** Says whether the engines of an agent serve its language. */
  readonly judgeLanguage?: JudgeLanguage | undefined
  /** Says which keywords its transcriber is not given. */
  readonly judgeKeyterms?: JudgeKeyterms | undefined
  /** Says which options of vendors' own would not be sent. */
  readonly judgeOptions?: JudgeOptions | undefined
}

type References = { readonly [Field in ReferenceField]?: string | readonly string[] | undefined }

/** `config` is what is being written: all of a new agent, or the changes to one. */
export async function checkReferences(
  kinds: readonly ReferenceKind[],
  workspaceId: string,
  config: References,
): Promise<void> {
  const details = (
    await Promise.all(kinds.map((kind) => faultsOf(kind, workspaceId, config[kind.field])))
  ).flat()
  if (details.length > 0) fail('VALIDATION_ERROR', { details })
}

/** Whether the agent has to wait for one of the resources that it refers to. */
export async function isSeeding(
  queries: Queries,
  kinds: readonly ReferenceKind[],
  config: References,
): Promise<boolean> {
  for (const { field, seeding } of kinds) {
    const ids = [config[field] ?? []].flat()
    if (ids.length > 0 && (await seeding?.(queries, ids))) return true
  }
  return false
}

async function faultsOf(
  { field, name, existing }: ReferenceKind,
  workspaceId: string,
  given: string | readonly string[] | undefined,
): Promise<Fault[]> {
  const ids = (given === undefined ? [] : [given].flat()).map((id) => id.toLowerCase())
  if (ids.length === 0) return []
  const known = await existing(workspaceId, ids)
  return ids.flatMap((id, at) => {
    const path = ['agent_config', field, ...(typeof given === 'string' ? [] : [at])].join('.')
    return known.has(id) ? [] : [{ path, message: `There is no ${name} with this id.` }]
  })
}
