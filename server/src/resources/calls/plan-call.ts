// From a claimed call to the plan that the engine runs: the only place that interprets the stored configuration.
import type { AgentConfig } from '@parley/contract'
import { localTime } from '../../platform/clock/local-time.ts'
import type { CallPlan, DialoguePlan, SynthesizerPlan, TranscriberPlan } from '../../ports/call-plan.ts'
import { agentOf, type OpenSecrets, textsOf } from './agent-of-call.ts'
import type { ClaimedCall } from './backlog.ts'
import { type Fill, type Values, variableFiller } from './plan/fill-variables.ts'
import { readApiTools } from './plan/read-api-tools.ts'
import { readGraph } from './plan/read-graph.ts'
import { readModel } from './plan/read-model.ts'
import { readRoutes } from './plan/read-routes.ts'
import { languagesOf, turnRules } from './plan/turn-rules.ts'

/** Undefined if the agent was deleted. */
export function planCall(call: ClaimedCall, openSecrets: OpenSecrets, now: Date): CallPlan | undefined {
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
    },
    now,
  )
  const leftOut = read.leftOut.map((path) => `The agent's ${path} is not valid and was left out.`)
  return { ...plan, notes: [...leftOut, ...plan.notes] }
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
>

const numberOf = ({ phone_number_id: id, number_provider: provider }: ClaimedCall): CallPlan['number'] =>
  id !== null && provider !== null ? { id, provider } : null

export function planOf(agent: AgentConfig, call: Call, now: Date): CallPlan {
  const variables = valuesOf(call, agent.timezone, now)
  const filler = variableFiller(variables)
  const turn = turnRules(agent, filler.fill)
  const { dialogue, problems } = dialogueOf(agent, filler.fill)
  const { tools, problems: toolProblems } = readApiTools(agent.api_tools, filler.fill)
  const missing = filler.missing.map((name) => `The variable {${name}} has no value and was left out.`)
  return {
    ...call,
    variables,
    transcriber: transcriberOf(agent),
    synthesizer: synthesizerOf(agent),
    dialogue,
    tools,
    turn,
    ambienceTrack: agent.task_config.ambient_noise ? agent.task_config.ambient_noise_track : null,
    notes: [...problems.map(asSentence), ...toolProblems.map(asSentence), ...missing],
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

function dialogueOf(agent: AgentConfig, fill: Fill): { dialogue: DialoguePlan; problems: readonly string[] } {
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
const asSentence = (problem: string): string =>
  `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/\.$/, '')}.`
