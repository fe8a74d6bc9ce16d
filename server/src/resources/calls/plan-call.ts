// From a claimed call to the plan that the engine runs: the only place that interprets the stored configuration.
import type { AgentConfig } from '@parley/contract'
import { localTime } from '../../platform/clock/local-time.ts'
import type {
  CallPlan,
  DialoguePlan,
  ResumedCall,
  SynthesizerPlan,
  ToolPlan,
  TranscriberPlan,
} from '../../ports/call-plan.ts'
import { mayDial, policyOf } from '../destinations/destinations.ts'
import { agentOf, type OpenSecrets, textsOf } from './agent-of-call.ts'
import type { ClaimedCall } from './backlog.ts'
import { type Fill, type Values, variableFiller } from './plan/fill-variables.ts'
import { readApiTools } from './plan/read-api-tools.ts'
import { readGraph } from './plan/read-graph.ts'
import { readModel } from './plan/read-model.ts'
import { readRoutes } from './plan/read-routes.ts'
import { readTelephone } from './plan/read-telephone.ts'
import { type RefuseDestination, readTransfers } from './plan/read-transfers.ts'
import { resumePlan } from './plan/resume-plan.ts'
import { interruptedWords, languagesOf, turnRules } from './plan/turn-rules.ts'

/** Undefined if the agent was deleted. */
export function planCall(
  call: ClaimedCall,
  openSecrets: OpenSecrets,
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
      callType: call.call_type,
      to: call.to_phone_number,
      from: call.from_phone_number,
      provider: call.provider,
      number: numberOf(call),
      variables: textsOf(call.variables),
      metadata: call.metadata,
      ringTimeoutSeconds: call.agent_overrides?.ring_timeout_seconds,
    },
    now,
    refusalOf(call),
  )
  const leftOut = read.leftOut.map((path) => `The agent's ${path} is not valid and was left out.`)
  const noted = { ...plan, notes: [...leftOut, ...plan.notes] }
  return resumed ? resumePlan(noted, resumed, interruptedWords(read.agent)) : noted
}

type Call = Pick<
  CallPlan,
  | 'sessionId'
  | 'workspaceId'
  | 'agentId'
  | 'callType'
  | 'to'
  | 'from'
  | 'provider'
  | 'number'
  | 'variables'
  | 'metadata'
> & {
  /** Instead of the agent's own. */
  readonly ringTimeoutSeconds?: number | undefined
}

const numberOf = ({ phone_number_id: id, number_provider: provider }: ClaimedCall): CallPlan['number'] =>
  id !== null && provider !== null ? { id, provider } : null

/** Transfers go where the workspace may call. */
function refusalOf(call: ClaimedCall): RefuseDestination {
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
  agent: AgentConfig,
  { ringTimeoutSeconds, ...call }: Call,
  now: Date,
  refuse: RefuseDestination = () => null,
): CallPlan {
  const variables = valuesOf(call, agent.timezone, now)
  const filler = variableFiller(variables)
  const { telephone, problems: telephoneProblems } = readTelephone(agent.api_tools)
  const ringingMs = ringTimeoutSeconds === undefined ? telephone.ringingMs : ringTimeoutSeconds * 1_000
  const turn = turnRules(agent, filler.fill, {
    telephone: { ...telephone, ringingMs },
    isOutbound: call.callType === 'outbound',
  })
  const transfers = readTransfers(agent.call_transfer_config, filler.fill, refuse)
  const { tools, problems: toolProblems } = readApiTools(agent.api_tools, {
    fill: filler.fill,
    mayTransfer: transfers.destinations.length > 0,
  })
  const { dialogue, problems } = dialogueOf(agent, tools, filler.fill)
  const missing = filler.missing.map((name) => `The variable {${name}} has no value and was left out.`)
  return {
    ...call,
    variables,
    transcriber: transcriberOf(agent),
    synthesizer: synthesizerOf(agent),
    dialogue,
    tools,
    transfers: transfers.destinations,
    turn,
    ambienceTrack: agent.task_config.ambient_noise ? agent.task_config.ambient_noise_track : null,
    resumed: null,
    notes: [
      ...[...problems, ...toolProblems, ...telephoneProblems, ...transfers.problems].map(asSentence),
      ...missing,
    ],
  }
}

/** The values of all placeholders. The system's variables override the call's. */
function valuesOf(call: Call, timezone: string | undefined, now: Date): Values {
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
  agent: AgentConfig,
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
      mayEndCall: Boolean(agent.task_config.end_call_tool_mode),
      maySendDigits: tools.some(({ description, target }) => !target && description.name === 'send_dtmf'),
    },
    problems: [...problems, ...routeProblems],
  }
}

const transcriberOf = ({ transcriber, language }: AgentConfig): TranscriberPlan => ({
  asked: transcriber?.provider ?? null,
  model: transcriber?.model ?? '',
  language: transcriber?.language ?? language,
  keyterms: (transcriber?.keywords ?? '')
    .split(',')
    .map((term) => term.trim())
    .filter(Boolean),
})

function synthesizerOf(agent: AgentConfig): SynthesizerPlan {
  const { synthesizer } = agent
  const config = (synthesizer?.provider_config ?? {}) as Readonly<Record<string, unknown>>
  const text = (name: string) => (typeof config[name] === 'string' ? config[name] : undefined)
  return {
    asked: synthesizer?.provider ?? null,
    voice: text('voice'),
    voiceId: text('voice_id'),
    model: text('model'),
    language: synthesizer?.language ?? languagesOf(agent)[0],
  }
}

/** "tool 1 needs a url" → "Tool 1 needs a url." */
const asSentence = (problem: string): string => `${beginning(problem)}${problem.slice(1).replace(/\.$/, '')}.`

/** The name of a field keeps its small letter. */
const beginning = (problem: string): string =>
  /^[a-z_]+[._[]/.test(problem) ? problem.charAt(0) : problem.charAt(0).toUpperCase()
