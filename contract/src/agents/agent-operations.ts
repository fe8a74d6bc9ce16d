// The operations on agents.
import { z } from 'zod'
import { voiceAddresses } from '../addresses.ts'
import { exampleIds, exampleTimes, onePage } from '../example-values.ts'
import { operation } from '../operation.ts'
import { PageQuery, pageOf } from '../pagination.ts'
import { Id, Text } from '../words.ts'
import { Agent, AgentPatch, UpdatedAgent, Warnings } from './agent.ts'
import { AgentConfig } from './agent-config.ts'
import { TaskConfig } from './agent-task-config.ts'

const ById = z.strictObject({ id: Id.describe('The agent_id that `createAgent` answered with.') })
const tag = 'Agents'

const receptionist = {
  agent_name: 'Receptionist',
  agent_welcome_message: 'Hello, this is Maple Dental. How can I help?',
  agent_prompt: 'You are the receptionist of Maple Dental. Be brief and friendly.',
  llm_agent: { agent_type: 'simple_llm_agent', llm_config: { temperature: 0.3 } },
}

const stored = {
  agent_id: exampleIds.agent,
  agent_config: {
    ...receptionist,
    agent_type: 'other',
    status: 'active',
    task_config: TaskConfig.parse({ hangup_after_silence: 30 }),
  },
  status: 'active',
  version: 2,
  created_at: exampleTimes.created,
  updated_at: exampleTimes.later,
}

export const createAgent = operation({
  ...voiceAddresses.createAgent,
  tag,
  summary: 'Create an agent',
  description:
    'Stores an agent, which is `active` and takes calls at once unless `status` says otherwise. Only `agent_name` and `llm_agent` are required: without a synthesizer, a transcriber or a model it uses the offline ones. Keys and tokens in it are kept encrypted and shown by their ends. Continue with `placeCall` or `startWebCall`.',
  body: z.strictObject({ agent_config: AgentConfig.describe('The agent.') }),
  status: 201,
  data: z.strictObject({
    agent_id: Id.describe('Names the agent in every other request.'),
    agent_name: Text.describe('As it was given.'),
    warnings: Warnings,
  }),
  example: {
    body: { agent_config: receptionist },
    data: { agent_id: exampleIds.agent, agent_name: receptionist.agent_name },
  },
})

export const listAgents = operation({
  ...voiceAddresses.listAgents,
  tag,
  summary: 'List the agents of the workspace, newest first',
  description:
    'Every agent that was not deleted, whole, with its defaults applied. Agents of the same moment keep their order from page to page.',
  query: PageQuery,
  data: pageOf(Agent),
  example: { query: { page: 1, limit: 20 }, data: onePage(stored) },
})

export const getAgent = operation({
  ...voiceAddresses.getAgent,
  tag,
  summary: 'Read one agent',
  description:
    'The configuration as it is now: what `createAgent` and every `updateAgent` since have written, with defaults applied and secrets shown by their ends. What is shown can be sent back without changing a secret.',
  params: ById,
  data: Agent,
  example: { params: { id: exampleIds.agent }, data: stored },
})

export const updateAgent = operation({
  ...voiceAddresses.updateAgent,
  tag,
  summary: 'Change an agent',
  description:
    'Changes only the keys that are sent. `llm_agent`, `llm_config`, `synthesizer`, `provider_config`, `transcriber`, `task_config`, `input` and `output` merge key by key; arrays and `call_analysis_config` are replaced; null clears what is nullable. Calls that begin later use it, also those that were scheduled before. A secret whose host changes without being given again is dropped, and `warnings` says so.',
  params: ById,
  body: z.strictObject({ agent_config: AgentPatch.describe('What changes.') }),
  data: UpdatedAgent,
  example: {
    params: { id: exampleIds.agent },
    body: { agent_config: { agent_prompt: 'Speak slowly.', task_config: { hangup_after_silence: 30 } } },
    data: { ...stored, agent_config: { ...stored.agent_config, agent_prompt: 'Speak slowly.' } },
  },
})

export const deleteAgent = operation({
  ...voiceAddresses.deleteAgent,
  tag,
  summary: 'Delete an agent',
  description:
    'Removes the agent at once and for good. Calls under way go on to their end, calls that wait fail, and batches that use it are cancelled. Records of its calls stay and can be read with `getCall`.',
  params: ById,
  data: z.strictObject({
    agent_id: Id.describe('The agent that was deleted.'),
    deleted: z.literal(true).describe('It is deleted.'),
  }),
  example: { params: { id: exampleIds.agent }, data: { agent_id: exampleIds.agent, deleted: true } },
})
