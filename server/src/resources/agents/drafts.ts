// Configurations that are tried before they are saved: checked and merged as a save would do it, and not stored here.
import type { AgentPatch, CalledAgent } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import type { Queries } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import type { Vault } from '../../platform/secrets.ts'
import { checkLanguage, type RefuseLanguage, touchesLanguage } from './agent-language.ts'
import { hideSecrets, type Warning } from './agent-secrets.ts'
import { mergeConfig } from './merge.ts'
import { checkReferences, type ReferenceKind } from './references.ts'
import { type Config, findAgent } from './store.ts'

export interface Draft {
  /** Of an agent that does not exist yet: one that no agent will ever have. */
  readonly agentId: string
  readonly config: Config
  /** Its secrets, sealed for `agentId`. */
  readonly sealed: Buffer | null
  readonly warnings: readonly Warning[]
}

interface DraftParts {
  readonly db: Queries
  readonly vault: Vault
  readonly references: readonly ReferenceKind[]
  readonly refuseLanguage: RefuseLanguage | undefined
}

export const drafts = ({ db, vault, references, refuseLanguage }: DraftParts) => ({
  /** The status is left aside: an agent is tried before it is switched on. */
  async draftOf(workspaceId: string, agentId: string, { status: _, ...patch }: AgentPatch): Promise<Draft> {
    await checkReferences(references, workspaceId, patch)
    const before = (await findAgent(db, workspaceId, agentId)) ?? fail('AGENT_NOT_FOUND')
    const stored: Config = JSON.parse(before.config)
    const config = mergeConfig(stored, patch)
    if (refuseLanguage && touchesLanguage(patch)) checkLanguage(config, refuseLanguage)
    const id = before.agent_id
    const hidden = hideSecrets(vault, { workspaceId, id }, config, {
      config: stored,
      sealed: before.secrets,
    })
    return { agentId: id, ...hidden }
  },

  async draftOfNew(workspaceId: string, { status: _, ...config }: CalledAgent): Promise<Draft> {
    await checkReferences(references, workspaceId, config)
    if (refuseLanguage) checkLanguage(config, refuseLanguage)
    const agentId = newId()
    return { agentId, ...hideSecrets(vault, { workspaceId, id: agentId }, config, null) }
  },
})
