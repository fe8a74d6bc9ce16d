// Changes an agent under a lock, so that of two changes at once neither is lost: as a new version, if it differs.
import { isDeepStrictEqual } from 'node:util'
import { type AgentPatch, type AgentStatus, type MergeRules, mergingObjects } from '@parley/contract'
import type { Author } from '../../http/authenticate.ts'
import { fail } from '../../http/failure.ts'
import type { Db, Queries } from '../../platform/db/db.ts'
import type { Vault } from '../../platform/secrets.ts'
import { hideSecrets, sameSecrets, type Warning } from './agent-secrets.ts'
import { isSeeding, type ReferenceKind } from './references.ts'
import { isTree } from './secret-places.ts'
import { type AgentConfigJson, type AgentRow, lockAgent, saveAgent, updateAgent } from './store.ts'

export interface AgentChange {
  readonly config: AgentConfigJson
  /** Absent: as it was. */
  readonly status?: AgentStatus | undefined
  /** Where an editor draws the graph; absent: as it was. */
  readonly layout?: object | undefined
}

export interface ChangedAgent {
  readonly row: AgentRow
  /** For secrets that were dropped. */
  readonly warnings: readonly Warning[]
}

/** `make`: what the agent becomes; it may refuse. */
export type ChangeAgent = (
  workspaceId: string,
  agentId: string,
  author: Author,
  make: (stored: AgentConfigJson, row: AgentRow) => AgentChange,
) => Promise<ChangedAgent>

export const agentChanger =
  (db: Db, vault: Vault, references: readonly ReferenceKind[]): ChangeAgent =>
  (workspaceId, agentId, author, make) =>
    db.transaction(async (tx) => {
      const before = (await lockAgent(tx, workspaceId, agentId)) ?? fail('AGENT_NOT_FOUND')
      const stored: AgentConfigJson = JSON.parse(before.config)
      const { config, status, layout } = make(stored, before)
      const hidden = hideSecrets(vault, { workspaceId, id: agentId }, config, {
        config: stored,
        sealed: before.secrets,
      })
      const after = await settledStatus(tx, references, status ?? before.status, config)
      const saved = { status: after, hidden, layout }
      const isSame =
        (status === undefined || after === before.status) &&
        isDeepStrictEqual(hidden.config, stored) &&
        sameSecrets(vault, agentId, hidden.sealed, before.secrets)
      const row = isSame ? await updateAgent(tx, agentId, saved) : await saveAgent(tx, agentId, saved, author)
      return { row, warnings: hidden.warnings }
    })

/** `seeding` is the service's own word for an agent that waits for something, and takes no calls until then. */
export async function settledStatus(
  queries: Queries,
  references: readonly ReferenceKind[],
  status: AgentStatus,
  config: AgentConfigJson,
): Promise<AgentStatus> {
  if (status === 'inactive') return status
  return (await isSeeding(queries, references, config)) ? 'seeding' : 'active'
}

export const mergeConfig = (config: AgentConfigJson, patch: Omit<AgentPatch, 'status'>): AgentConfigJson =>
  merge(config, patch, mergingObjects) as AgentConfigJson

function merge(before: object, change: object, tree: MergeRules | true): object {
  const merged: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(change)) {
    const inner = tree !== true && Object.hasOwn(tree, key) ? tree[key] : undefined
    const held = merged[key]
    merged[key] = inner && isTree(held) && isTree(value) ? merge(held, value, inner) : value
  }
  return merged
}
