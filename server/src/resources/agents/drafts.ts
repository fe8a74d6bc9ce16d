// Configurations that are tried before they are saved: checked and merged as a save would do it, and not stored here.
import type { AgentPatch, CalledAgent } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import type { Queries } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import type { Vault } from '../../platform/secrets.ts'
import type { JudgeLanguage } from '../../ports/agent-language.ts'
import { checkLanguage, touchesLanguage } from './agent-language.ts'
import { hideSecrets, type Warning } from './agent-secrets.ts'
import { mergeConfig } from './merge.ts'
import { checkReferences, type ReferenceKind } from './references.ts'
import { type Config, findAgent } from './store.ts'

export interface Draft {
  /** If the agent does not exist yet, an id that no agent will ever have. */
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
  readonly judgeLanguage: JudgeLanguage | undefined
}

export const drafts = ({ db, vault, references, judgeLanguage }: DraftParts) => ({
  /** The status is left aside: an agent is tried before it is switched on. */
  async draftOf(workspaceId: string, id: string, { status: _, ...patch }: AgentPatch): Promise<Draft> {
    await checkReferences(references, workspaceId, patch)
    const before = (await findAgent(db, workspaceId, id)) ?? fail('AGENT_NOT_FOUND')
    const stored: Config = JSON.parse(before.config)
    const config = mergeConfig(stored, patch)
    const unsure = judgeLanguage && touchesLanguage(patch) ? checkLanguage(config, judgeLanguage) : []
    const agentId = before.agent_id
    const hidden = hideSecrets(vault, { workspaceId, id: agentId }, config, {
      config: stored,
      sealed: before.secrets,
    })
    return { agentId, ...hidden, warnings: [...hidden.warnings, ...unsure] }
  },

  async draftOfNew(workspaceId: string, { status: _, ...config }: CalledAgent): Promise<Draft> {
    await checkReferences(references, workspaceId, config)
    const unsure = judgeLanguage ? checkLanguage(config, judgeLanguage) : []
    const agentId = newId()
    const hidden = hideSecrets(vault, { workspaceId, id: agentId }, config, null)
    return { agentId, ...hidden, warnings: [...hidden.warnings, ...unsure] }
  },
})
