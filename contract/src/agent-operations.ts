// The five operations on agents.
import { z } from 'zod'
import { voiceAddresses } from './addresses.ts'
import { Agent, AgentConfig, AgentPatch, UpdatedAgent } from './agent.ts'
import { operation } from './operation.ts'
import { PageQuery, pageOf } from './pagination.ts'
import { Id, Text } from './words.ts'

const ById = z.strictObject({ id: Id.meta({ description: 'The agent_id that createAgent answered with.' }) })
const tag = 'Agents'

const receptionist = {
  agent_name: 'Receptionist',
  agent_welcome_message: 'Hello, this is Maple Dental. How can I help?',
  agent_prompt: 'You are the receptionist of Maple Dental. Be brief and friendly.',
  llm_agent: { agent_type: 'simple_llm_agent', llm_config: { provider: 'openai', model: 'gpt-4o-mini' } },
}

export const createAgent = operation({
  ...voiceAddresses.createAgent,
  tag,
  summary: 'Create an agent',
  body: z.strictObject({ agent_config: AgentConfig }),
  status: 201,
  data: z.strictObject({ agent_id: Id, agent_name: Text }),
  example: {
    body: { agent_config: receptionist },
    data: { agent_id: '4b0c2f86-4f0e-4a33-9d2c-0d2f3c1a7e55', agent_name: 'Receptionist' },
  },
})

export const listAgents = operation({
  ...voiceAddresses.listAgents,
  tag,
  summary: 'List the agents of the workspace, newest first',
  query: PageQuery,
  data: pageOf(Agent),
})

export const getAgent = operation({
  ...voiceAddresses.getAgent,
  tag,
  summary: 'Read one agent',
  params: ById,
  data: Agent,
})

export const updateAgent = operation({
  ...voiceAddresses.updateAgent,
  tag,
  summary: 'Change an agent: objects merge key by key, arrays replace, null clears what is nullable',
  params: ById,
  body: z.strictObject({ agent_config: AgentPatch }),
  data: UpdatedAgent,
  example: {
    body: { agent_config: { agent_prompt: 'Speak slowly.', task_config: { hangup_after_silence: 30 } } },
  },
})

export const deleteAgent = operation({
  ...voiceAddresses.deleteAgent,
  tag,
  summary: 'Delete an agent; its call records stay',
  params: ById,
  data: z.strictObject({ agent_id: Id, deleted: z.literal(true) }),
})
