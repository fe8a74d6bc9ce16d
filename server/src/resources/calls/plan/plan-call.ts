// From a claimed call to the plan that the engine runs: the only place that interprets the stored configuration.
import type { CalledAgent } from '@parley/contract'
import { localTime } from '../../../platform/clock/local-time.ts'
import type {
  CallPlan,
  DialoguePlan,
  KnowledgePlan,
  ResumedCall,
  ToolPlan,
} from '../../../ports/call-plan.ts'
import { mayDial, policyOf } from '../../destinations/destinations.ts'
import type { ClaimedCall } from '../queue/backlog.ts'
import { agentOf, type OpenSecrets, textsOf } from './agent-of-call.ts'
import { type Fill, type VariableValues, variableFiller } from './fill-variables.ts'
import { hasOwnTool, noStoredTools, planTools, readStoredTools, type StoredTools } from './plan-tools.ts'
import { type OpenCredentials, readAccounts } from './read-accounts.ts'
import { readGraph, readRoutes } from './read-graph.ts'
import { readGuardRails } from './read-guard-rails.ts'
import { readMemory, type StoredMemory } from './read-memory.ts'
import { readModel } from './read-model.ts'
import { readFallbacks, readSynthesizer, readTranscriber, type StoredPronunciation } from './read-speech.ts'
import { readTelephone } from './read-telephone.ts'
import { type RefuseDestination, readTransfers } from './read-transfers.ts'
import { resumePlan } from './resume-plan.ts'
import { interruptedWords, languagesOf, turnRules } from './turn-rules.ts'

/** Decrypts what a call needs. */
export interface OpenStored {
  readonly openSecrets: OpenSecrets
  readonly openCredentials: OpenCredentials
}

/** Undefined if the agent was deleted. */
export function planCall(
  call: ClaimedCall,
  { openSecrets, openCredentials }: OpenStored,
  now: Date,
  resumed: ResumedCall | null = null,
): CallPlan | undefined {
  const read = agentOf(call, openSecrets)
  if (!read) return undefined
  const plan = planOf(
    read.agent,
    {
      sessionId: call.session_id,
      workspaceId: call.workspace_id,
      agentId: call.agent_id,
      batchId: call.batch_id,
      callType: call.call_type,
      to: call.to_phone_number,
      from: call.from_phone_number,
      provider: call.provider,
      number: numberOf(call),
      variables: { ...textsOf(call.variables), ...resumed?.variables },
      metadata: call.metadata,
      ringTimeoutSeconds: call.agent_overrides?.ring_timeout_seconds,
      storedTools: readStoredTools(read.agent.tool_definition_ids ?? [], call.tools ?? [], openSecrets),
      memories: call.memories ?? [],
      dictionary: call.pronunciations ?? [],
      accounts: readAccounts(call.workspace_id, call.credentials ?? [], openCredentials),
    },
    now,
    refusalOf(call),
  )
  const leftOut = read.leftOut.map((path) => `The agent's ${path} is not valid and was left out.`)
  const trial = call.draft
    ? ['This call was a test from the editor, with the settings as they stood there.']
    : []
  const noted = { ...plan, notes: [...trial, ...leftOut, ...plan.notes] }
  return resumed ? resumePlan(noted, resumed, interruptedWords(read.agent)) : noted
}

type Call = Pick<
  CallPlan,
  | 'sessionId'
  | 'workspaceId'
  | 'agentId'
  | 'batchId'
  | 'callType'
  | 'to'
  | 'from'
  | 'provider'
  | 'number'
  | 'variables'
  | 'metadata'
> & {
  /** The ring time-out that replaces the agent's own. */
  readonly ringTimeoutSeconds?: number | undefined
  /** Those in `tool_definition_ids`. */
  readonly storedTools?: StoredTools | undefined
  readonly accounts?: CallPlan['accounts']
  /** The memories of the caller. */
  readonly memories?: readonly StoredMemory[]
  /** How words are pronounced. */
  readonly dictionary?: readonly StoredPronunciation[]
}

const numberOf = ({ phone_number_id: id, number_provider: provider }: ClaimedCall): CallPlan['number'] =>
  id !== null && provider !== null ? { id, provider } : null

/** Transfers and redirections go where the workspace may call. */
export function refusalOf(call: ClaimedCall): RefuseDestination {
  const { allowed_destinations: allowed, own_countries: ownCountries, own_hosts: ownHosts, provider } = call
  const isSimulated = provider === null || provider === 'sandbox'
  const ownUsers = call.own_users?.split(' ').filter(Boolean) ?? []
  const policy = policyOf({ allowed, ownCountries, ownHosts, ownUsers }, isSimulated)
  return (to) => {
    const verdict = mayDial(to, policy)
    return verdict.is === 'refused' ? verdict.message : null
  }
}

/** `refuse`: which destinations of transfers the workspace may not call. */
export function planOf(
  agent: CalledAgent,
  {
    ringTimeoutSeconds,
    storedTools = noStoredTools,
    memories = [],
    dictionary = [],
    accounts = {},
    ...call
  }: Call,
  now: Date,
  refuse: RefuseDestination = () => null,
): CallPlan {
  const memory = readMemory(agent, call.agentId, memories)
  const variables = { ...memory.variables, ...valuesOf(call, agent.timezone, now) }
  const filler = variableFiller(variables)
  const { telephone, problems: telephoneProblems } = readTelephone(agent.api_tools)
  const ringingMs = ringTimeoutSeconds === undefined ? telephone.ringingMs : ringTimeoutSeconds * 1_000
  const rails = readGuardRails(agent.api_tools, filler.fill, languagesOf(agent))
  const turn = turnRules(agent, filler.fill, {
    telephone: { ...telephone, ringingMs },
    isOutbound: call.callType === 'outbound',
    consent: rails.consent,
  })
  const transfers = readTransfers(agent.call_transfer_config, filler.fill, refuse)
  const sources = {
    apiTools: agent.api_tools,
    stored: storedTools,
    mayTransfer: transfers.destinations.length > 0,
  }
  const { fill, isSetLater, problems: toolProblems, ...planned } = planTools(sources, filler.fill)
  const fallbacks = readFallbacks(agent.api_tools)
  const { dialogue, problems } = dialogueOf(agent, planned.tools, fill)
  const missing = filler.missing
    .filter((name) => !isSetLater(name) && !memory.isOurs(name))
    .map((name) => `The variable {${name}} has no value and was left out.`)
  return {
    ...call,
    variables,
    transcriber: readTranscriber(agent, fallbacks.transcriber),
    synthesizer: readSynthesizer(agent, fallbacks.synthesizer, dictionary),
    accounts,
    dialogue,
    ...planned,
    transfers: transfers.destinations,
    // Speech that such a model has heard cannot be taken back, so it is asked once.
    turn: dialogue.model.hearsItself ? { ...turn, thinkAhead: false } : turn,
    guardRails: rails.guardRails,
    ambienceTrack: agent.task_config.ambient_noise ? agent.task_config.ambient_noise_track : null,
    resumed: null,
    notes: [
      ...[
        ...[...problems, ...toolProblems, ...telephoneProblems, ...fallbacks.problems],
        ...[...rails.problems, ...transfers.problems, ...memory.problems],
      ].map(asSentence),
      ...missing,
    ],
  }
}

/** The values of all placeholders. The system's variables override the call's. */
function valuesOf(call: Call, timezone: string | undefined, now: Date): VariableValues {
  const local = localTime(now, timezone)
  return {
    ...call.variables,
    current_date: local.date,
    current_time: local.time,
    timezone: local.timezone,
    agent_id: call.agentId,
    session_id: call.sessionId,
    from_phone_number: call.from ?? '',
    to_phone_number: call.to ?? '',
  }
}

function dialogueOf(
  agent: CalledAgent,
  tools: readonly ToolPlan[],
  fill: Fill,
): { dialogue: DialoguePlan; problems: readonly string[] } {
  const llmAgent = agent.llm_agent
  const isGraph = [agent.agent_type, llmAgent.agent_type].includes('graph_agent')
  const { graph, problems } = isGraph ? readGraph(llmAgent, fill) : { graph: null, problems: [] }
  const { routes, problems: routeProblems } = readRoutes(llmAgent, fill)
  return {
    dialogue: {
      prompt: fill(agent.agent_prompt),
      model: readModel(llmAgent),
      graph,
      routes,
      mayEndCall: Boolean(agent.task_config.end_call_tool_mode) || hasOwnTool(tools, 'end_call'),
      knowledge: knowledgeOf(agent),
      maySendDigits: hasOwnTool(tools, 'send_dtmf'),
      maySetVariables: hasOwnTool(tools, 'set_variable'),
    },
    problems: [...problems, ...routeProblems],
  }
}

/** A knowledge base agent answers from its repositories alone; others have them besides what they know. */
function knowledgeOf({ repository_ids: ids = [], agent_type, llm_agent }: CalledAgent): KnowledgePlan | null {
  if (ids.length === 0) return null
  const isOnlySource = [agent_type, llm_agent.agent_type].some(
    (type) => type === 'knowledgebase_agent' || type === 'knowledge_base_agent',
  )
  return { repositoryIds: ids, isOnlySource }
}

/** "tool 1 needs a url" → "Tool 1 needs a url." */
const asSentence = (problem: string): string => `${beginning(problem)}${problem.slice(1).replace(/\.$/, '')}.`

/** The name of a field keeps its small letter. */
const beginning = (problem: string): string =>
  /^[a-z_]+[._[]/.test(problem) ? problem.charAt(0) : problem.charAt(0).toUpperCase()
