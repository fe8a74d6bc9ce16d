// What an agent is told when it is saved though nothing is wrong with it yet: a model of its that ends, and keywords that
// its transcriber will not be given.
import { keytermsIn } from '@parley/contract'
import { modelEndSentence } from '@parley/contract/model-ends'
import { type NamedModel, namedModels } from '@parley/contract/named-models'
import type { Queries } from '../../platform/db/db.ts'
import type { JudgeKeyterms } from '../../ports/agent-keyterms.ts'
import type { Warning } from './agent-secrets.ts'
import { enginesOfAgents } from './store.ts'

/** As it may be stored. */
interface WarnedConfig {
  readonly transcriber?: unknown
}

export const warningsOf = (config: WarnedConfig, judge: JudgeKeyterms | undefined): readonly Warning[] => [
  ...endsOfModels(config),
  ...leftOutKeywords(config, judge),
]

function endsOfModels(config: WarnedConfig): readonly Warning[] {
  const today = new Date().toISOString().slice(0, 10)
  return namedModels(config).flatMap(({ provider, model, path }) => {
    const message = modelEndSentence(provider, model, today)
    return message === undefined ? [] : [{ path, message }]
  })
}

function leftOutKeywords(
  { transcriber }: WarnedConfig,
  judge: JudgeKeyterms | undefined,
): readonly Warning[] {
  const { provider, keywords } = (transcriber ?? {}) as { provider?: unknown; keywords?: unknown }
  if (typeof provider !== 'string' || typeof keywords !== 'string') return []
  const message = judge?.(provider, keytermsIn(keywords))
  return message === undefined ? [] : [{ path: 'agent_config.transcriber.keywords', message }]
}

/** Every model of a company that an agent of the workspace names. */
export const modelsOfAgents = async (db: Queries, workspaceId: string): Promise<readonly NamedModel[]> =>
  (await enginesOfAgents(db, workspaceId)).flatMap(({ config }) => namedModels(JSON.parse(config)))
