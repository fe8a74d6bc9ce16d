// The tools of an assistant, each an operation of the API in the assistant's own workspace.
import {
  CallStatus,
  CallTarget,
  Id,
  NewCall,
  PhoneNumber,
  type Role,
  sandboxCharacters,
  Variables,
} from '@parley/contract'
import { z } from 'zod'
import type { Verbatim } from '../../http/answer.ts'
import { committed } from '../../http/work.ts'
import type { AssistantParts, AssistantRequest, McpAnswer } from './asking.ts'
import { simulate, simulationInput } from './simulate.ts'
import { transcriptText } from './transcript-text.ts'

interface AssistantTool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Shape
  /** The least role that a key needs, if it has a role. */
  readonly needs: Role
  readonly annotations: { readOnlyHint: boolean; openWorldHint: boolean; destructiveHint?: boolean }
  run(input: z.output<z.ZodObject<Shape>>, asking: AssistantRequest): Promise<McpAnswer>
}

const tool = <Shape extends z.ZodRawShape>(described: AssistantTool<Shape>): AssistantTool =>
  described as unknown as AssistantTool

const reads = { readOnlyHint: true, openWorldHint: false }
const acts = { readOnlyHint: false, openWorldHint: true, destructiveHint: false }

const pages = {
  page: z.int().min(1).default(1).describe('Which page.'),
  limit: z.int().min(1).max(100).default(20).describe('How many on a page.'),
}
const call = { session_id: Id.describe('The session_id of the call.') }
const agent = { agent_id: Id.describe('The agent_id, from list_agents.') }

const dataOf = (answer: Verbatim): Record<string, unknown> => JSON.parse(answer.json)

export const assistantTools = (parts: AssistantParts): readonly AssistantTool[] => [
  ...agentTools(parts),
  ...callTools(parts),
  tool({
    name: 'run_simulation',
    title: 'Run a simulated call',
    description: `Lets an agent talk to a simulated person and answers with the transcript. Nobody is really called. It takes as long as the conversation. Characters: ${Object.entries(
      sandboxCharacters,
    )
      .map(([name, { about }]) => `${name} (${about})`)
      .join(', ')}. With lines, the person says these in order and hangs up.`,
    inputSchema: { ...agent, ...simulationInput },
    needs: 'editor',
    annotations: { ...acts, openWorldHint: false },
    run: (input, asking) => simulate(parts, input, asking),
  }),
]

const agentTools = ({ agents }: AssistantParts): readonly AssistantTool[] => [
  tool({
    name: 'list_agents',
    title: 'List the agents',
    description: 'The voice agents of the workspace, newest first: their ids, names and status.',
    inputSchema: pages,
    needs: 'viewer',
    annotations: reads,
    async run(query, { workspaceId }) {
      const { data, pagination } = dataOf(await agents.list(workspaceId, query)) as unknown as {
        data: { agent_id: string; status: string; agent_config: Record<string, unknown> }[]
        pagination: object
      }
      const brief = data.map(({ agent_id, status, agent_config }) => ({
        agent_id,
        status,
        agent_name: agent_config.agent_name,
        agent_type: agent_config.agent_type,
        language: agent_config.language ?? null,
      }))
      return { agents: brief, pagination }
    },
  }),
  tool({
    name: 'get_agent',
    title: 'Read an agent',
    description:
      'The whole configuration of one agent: its prompt, voice, model and tools. Secrets are masked.',
    inputSchema: agent,
    needs: 'viewer',
    annotations: reads,
    run: async ({ agent_id }, { workspaceId }) => dataOf(await agents.get(workspaceId, agent_id)),
  }),
]

const callTools = ({ db, calls }: AssistantParts): readonly AssistantTool[] => [
  tool({
    name: 'place_call',
    title: 'Place a call',
    description:
      'Lets an agent call a number. A real telephone rings, unless the number begins with +15550. Answers at once with the session_id; the call goes on.',
    inputSchema: {
      ...agent,
      to_phone_number: CallTarget,
      from_phone_number: PhoneNumber.optional().describe(
        'One of the numbers of the workspace. Left out: that of the agent, or the oldest.',
      ),
      variables: Variables.optional(),
    },
    needs: 'editor',
    annotations: acts,
    run: (input, { workspaceId }) =>
      committed(db, async (work) => ({ ...(await calls.place(workspaceId, NewCall.parse(input), work)) })),
  }),
  tool({
    name: 'list_calls',
    title: 'List calls',
    description: 'The calls of the workspace, newest first, all or those of an agent or with a status.',
    inputSchema: {
      ...pages,
      agent_id: Id.optional().describe('Only calls of this agent.'),
      call_status: CallStatus.optional().describe('Only calls with this status.'),
    },
    needs: 'viewer',
    annotations: reads,
    async run({ agent_id: agentId, call_status: status, ...page }, { workspaceId }) {
      const { data, pagination } = await calls.list(workspaceId, { agentId, status }, page)
      return { calls: data, pagination }
    },
  }),
  tool({
    name: 'get_call',
    title: 'Read a call',
    description:
      'How a call went or where it stands: status, who ended it, duration, analysis, variables. The words are in read_transcript.',
    inputSchema: call,
    needs: 'viewer',
    annotations: reads,
    async run({ session_id }, { workspaceId }) {
      const { transcript, latency, ...detail } = await calls.get(workspaceId, session_id)
      const { turns, ...quantiles } = latency
      return { ...detail, latency: quantiles, transcript_lines: lengthOf(transcript), turns: turns.length }
    },
  }),
  tool({
    name: 'read_transcript',
    title: 'Read a transcript',
    description:
      'What was said in a call, line by line, with the tools that were used. Complete when the call has ended.',
    inputSchema: call,
    needs: 'viewer',
    annotations: reads,
    run: async ({ session_id }, { workspaceId }) => transcriptText(await calls.get(workspaceId, session_id)),
  }),
  tool({
    name: 'stop_call',
    title: 'Stop a call',
    description: 'Ends a call that waits or is under way. The other side hears no farewell.',
    inputSchema: call,
    needs: 'editor',
    annotations: { ...acts, destructiveHint: true },
    run: ({ session_id }, { workspaceId }) =>
      committed(db, async (work) => ({ ...(await calls.stop(workspaceId, session_id, work)) })),
  }),
]

const lengthOf = (transcript: unknown): number => (Array.isArray(transcript) ? transcript.length : 0)
