// What is judged of an agent when it is saved: refused is what no engine could do, warned of is what may not be as it was
// meant. That is a language, a model that ends, keywords that its transcriber is not given, and an option that its vendor
// is not sent.
import { keytermsIn } from '@parley/contract'
import { modelEndSentence } from '@parley/contract/model-ends'
import { type NamedModel, namedModels } from '@parley/contract/named-models'
import type { Queries } from '../../platform/db/db.ts'
import type { JudgeKeyterms } from '../../ports/agent-keyterms.ts'
import { checkLanguage, touchesEngines } from './agent-language.ts'
import { optionWarnings } from './agent-options.ts'
import type { Warning } from './agent-secrets.ts'
import type { AgentChecks } from './references.ts'
import { enginesOfAgents } from './store.ts'

/** The fields that say who hears, thinks and speaks, as they may be in a stored configuration. */
type JudgedConfig = Parameters<typeof touchesEngines>[0]

/** `changed`: the part of the configuration that is being written. */
export function warningsOn(
  { judgeLanguage, judgeKeyterms, judgeOptions }: Omit<AgentChecks, 'references'>,
  config: JudgedConfig,
  changed: JudgedConfig = config,
): readonly Warning[] {
  if (!touchesEngines(changed)) return []
  return [
    ...(judgeLanguage ? checkLanguage(config, judgeLanguage) : []),
    ...endsOfModels(config),
    ...(judgeKeyterms ? leftOutKeywords(config, judgeKeyterms) : []),
    ...(judgeOptions ? optionWarnings(config, judgeOptions) : []),
  ]
}

function endsOfModels(config: JudgedConfig): readonly Warning[] {
  const today = new Date().toISOString().slice(0, 10)
  return namedModels(config).flatMap(({ provider, model, path }) => {
    const message = modelEndSentence(provider, model, today)
    return message === undefined ? [] : [{ path, message }]
  })
}

function leftOutKeywords({ transcriber }: JudgedConfig, judge: JudgeKeyterms): readonly Warning[] {
  const { provider, keywords } = (transcriber ?? {}) as { provider?: unknown; keywords?: unknown }
  if (typeof provider !== 'string' || typeof keywords !== 'string') return []
  const message = judge(provider, keytermsIn(keywords))
  return message === undefined ? [] : [{ path: 'agent_config.transcriber.keywords', message }]
}

/** Every model of a company that an agent of the workspace names. */
export const modelsOfAgents = async (db: Queries, workspaceId: string): Promise<readonly NamedModel[]> =>
  (await enginesOfAgents(db, workspaceId)).flatMap(({ config }) => namedModels(JSON.parse(config)))
