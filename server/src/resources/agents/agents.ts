// The rules of agents; other resources use them only through this module.
import {
  type AgentConfig,
  type AgentPatch,
  type CalledAgent,
  type PageQuery,
  paginate,
} from '@parley/contract'
import { Verbatim } from '../../http/answer.ts'
import type { Author } from '../../http/authenticate.ts'
import { fail } from '../../http/failure.ts'
import type { Work } from '../../http/work.ts'
import type { Db, Queries } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import type { Vault } from '../../platform/secrets.ts'
import { checkLanguage } from './agent-language.ts'
import { hideSecrets, type Warning } from './agent-secrets.ts'
import { warningsOn } from './agent-warnings.ts'
import { agentChanger, mergeConfig, settledStatus } from './change-agent.ts'
import { graphRules } from './graph.ts'
import { type AgentChecks, checkReferences } from './references.ts'
import {
  type AgentConfigJson,
  type AgentRow,
  agentJson,
  findAgent,
  ifActive,
  insertAgent,
  keepAgent,
  pageOfAgents,
  removeAgent,
  withWarnings,
} from './store.ts'
import { versionRules } from './versions.ts'

export {
  hideSecrets,
  keyOpener,
  looksMasked,
  type SecretOwner,
  sealedInAgents,
  sealedSecretsOf,
  shownSecret,
  type Warning,
} from './agent-secrets.ts'
export { modelsOfAgents } from './agent-warnings.ts'
export { type AgentChecks, idsIn, type ReferenceKind } from './references.ts'
export { sealStoredSecrets } from './seal-stored.ts'
export { pruneVersions } from './version-store.ts'

export const agents = (db: Db, vault: Vault, checks: AgentChecks = {}) => {
  const { references = [], judgeLanguage } = checks
  const change = agentChanger(db, vault, references)
  return {
    async create(
      workspaceId: string,
      { status = 'active', ...config }: AgentConfig,
      author: Author,
      work: Work,
    ) {
      const warnings = warningsOn(checks, config)
      await checkReferences(references, workspaceId, config)
      const agentId = newId()
      const hidden = hideSecrets(vault, { workspaceId, id: agentId }, config, null)
      const settled = await settledStatus(db, references, status, config)
      work.add(insertAgent(agentId, workspaceId, settled, hidden, author))
      return {
        agent_id: agentId,
        agent_name: config.agent_name,
        ...(warnings.length > 0 && { warnings: [...warnings] }),
      }
    },

    async list(workspaceId: string, query: PageQuery) {
      const { rows, total } = await pageOfAgents(db, workspaceId, query)
      const pagination = JSON.stringify(paginate(query, total))
      return new Verbatim(`{"data":[${rows.map(agentJson).join()}],"pagination":${pagination}}`)
    },

    async get(workspaceId: string, agentId: string): Promise<Verbatim> {
      return new Verbatim(agentJson((await findAgent(db, workspaceId, agentId)) ?? fail('AGENT_NOT_FOUND')))
    },

    /** For resources that refer to an agent; `path` is the field that does. */
    async mustExist(workspaceId: string, agentId: string, path: string): Promise<void> {
      await mustFind(db, workspaceId, agentId, path)
    },

    /** For resources that the deletion of their agent must find. */
    async mustStay(tx: Pick<Queries, 'row'>, workspaceId: string, agentId: string): Promise<CallingAgent> {
      const kept = (await keepAgent(tx, workspaceId, agentId)) ?? noAgent('agent_id')
      return { phoneNumberId: kept.phone_number_id }
    },

    /**
     * For resources that place calls with the agent: it must still take calls when the work is committed. `language`:
     * the call's own, if it has one.
     */
    async mustTakeCalls(
      workspaceId: string,
      agentId: string,
      work: Work,
      language?: string,
    ): Promise<CallingAgent> {
      const { status, config } = await mustFind(db, workspaceId, agentId, 'agent_id')
      if (status !== 'active') {
        fail('AGENT_NOT_ACTIVE', {
          message: `This agent takes no calls: it is ${status}, and must be active.`,
        })
      }
      if (judgeLanguage && language !== undefined)
        checkLanguage(JSON.parse(config) as AgentConfigJson, judgeLanguage, language)
      work.add(ifActive(workspaceId, agentId))
      const { phone_number_id: phoneNumberId } = JSON.parse(config) as { phone_number_id?: string | null }
      return { phoneNumberId: phoneNumberId ?? null }
    },

    async update(
      workspaceId: string,
      agentId: string,
      { status, ...patch }: AgentPatch,
      author: Author,
    ): Promise<Verbatim> {
      await checkReferences(references, workspaceId, patch)
      let unsure: readonly Warning[] = []
      const { row, warnings } = await change(workspaceId, agentId, author, (stored) => {
        const config = mergeConfig(stored, patch)
        unsure = warningsOn(checks, config, patch)
        return { config, status }
      })
      return new Verbatim(withWarnings(agentJson(row), [...warnings, ...unsure]))
    },

    async remove(workspaceId: string, agentId: string) {
      if (!(await removeAgent(db, workspaceId, agentId))) fail('AGENT_NOT_FOUND')
      return { agent_id: agentId, deleted: true as const }
    },
    ...graphRules(db, change),
    ...drafts(db, vault, checks),
    ...versionRules(db, vault, checks),
  }
}

/** What a resource that places calls needs to know. */
export interface CallingAgent {
  /** The number that it calls from; null: it names none. */
  readonly phoneNumberId: string | null
}

export type Agents = ReturnType<typeof agents>

const mustFind = async (db: Db, workspaceId: string, agentId: string, path: string): Promise<AgentRow> =>
  (await findAgent(db, workspaceId, agentId)) ?? noAgent(path)

const noAgent = (path: string): never =>
  fail('AGENT_NOT_FOUND', { details: [{ path, message: 'There is no agent with this id.' }] })

// Drafts are configurations that are tried before they are saved: checked and merged as a save would do it, and not
// stored here.

export interface Draft {
  /** The id of the agent or, if there is none yet, an id that no agent will ever have. */
  readonly agentId: string
  readonly config: AgentConfigJson
  /** Its secrets, sealed for `agentId`. */
  readonly sealed: Buffer | null
  readonly warnings: readonly Warning[]
}

const drafts = (db: Queries, vault: Vault, { references = [], ...checks }: AgentChecks) => ({
  /** The status is left aside: an agent is tried before it is switched on. */
  async draftOf(workspaceId: string, id: string, { status: _, ...patch }: AgentPatch): Promise<Draft> {
    await checkReferences(references, workspaceId, patch)
    const before = (await findAgent(db, workspaceId, id)) ?? fail('AGENT_NOT_FOUND')
    const stored: AgentConfigJson = JSON.parse(before.config)
    const config = mergeConfig(stored, patch)
    const unsure = warningsOn(checks, config, patch)
    const agentId = before.agent_id
    const hidden = hideSecrets(vault, { workspaceId, id: agentId }, config, {
      config: stored,
      sealed: before.secrets,
    })
    return { agentId, ...hidden, warnings: [...hidden.warnings, ...unsure] }
  },

  async draftOfNew(workspaceId: string, { status: _, ...config }: CalledAgent): Promise<Draft> {
    await checkReferences(references, workspaceId, config)
    const unsure = warningsOn(checks, config)
    const agentId = newId()
    const hidden = hideSecrets(vault, { workspaceId, id: agentId }, config, null)
    return { agentId, ...hidden, warnings: [...hidden.warnings, ...unsure] }
  },
})
