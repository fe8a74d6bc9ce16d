// The versions of an agent: what it was after every change, who made it, and what differs.
import { z } from 'zod'
import { voiceAddresses } from '../addresses.ts'
import { Author } from '../author.ts'
import { exampleIds, exampleTimes, onePage } from '../example-values.ts'
import { mostParts } from '../limits.ts'
import { operation } from '../operation.ts'
import { PageQuery, pageOf } from '../pagination.ts'
import { Id, Text, Timestamp, wholeNumber } from '../words.ts'
import { StoredConfig, UpdatedAgent } from './agent.ts'
import { AgentStatus } from './agent-config.ts'
import { TaskConfig } from './agent-task-config.ts'

/** How many of an agent's versions are kept, besides those that calls were made with. */
export const keptVersions = 100

// The largest number of a version that the database can count to.
const VersionNumber = z.int().min(1).max(2_147_483_647)

const AgentVersion = z
  .strictObject({
    version: VersionNumber.describe('Its number, counted from 1.'),
    is_current: z.boolean().describe('Whether calls that begin now use it.'),
    status: AgentStatus.describe('The status that the agent had been given, or had when it was replaced.'),
    author: Author.nullable().describe('Who made it. null: it is from before versions were kept.'),
    saved_at: Timestamp.describe('When it was made.'),
    restored_from: VersionNumber.nullable().describe(
      'The earlier version that was brought back, counted from 1. null: it was written anew.',
    ),
    changed: z
      .array(Text)
      .max(mostParts)
      .nullable()
      .describe(
        'The fields that differ from the version before, by their path, as in agent_config.agent_prompt. null: none before it is kept.',
      ),
  })
  .meta({ id: 'AgentVersion', description: 'A version of an agent as lists show it.' })
export type AgentVersion = z.infer<typeof AgentVersion>

const Difference = z
  .strictObject({
    path: Text.describe('The field, as in agent_config.agent_prompt. A node of a graph is named by its id.'),
    change: z.enum(['added', 'removed', 'changed']).describe('What became of it.'),
    before: z.unknown().optional().describe('What it was. Left out: it is new.'),
    after: z.unknown().optional().describe('What it is. Left out: it was removed.'),
  })
  .meta({
    id: 'AgentDifference',
    description: 'A field in which two versions differ. Of a secret only the ends are shown, changed or not.',
  })
export type AgentDifference = z.infer<typeof Difference>

const AgentVersionDetail = AgentVersion.extend({
  agent_config: StoredConfig.describe('The agent as it was, secrets shown by their ends.'),
  compared_with: VersionNumber.nullable().describe(
    'The version that `diff` begins at, counted from 1. null: none before it is kept.',
  ),
  diff: z.array(Difference).max(mostParts).describe('What differs from that version, field by field.'),
}).meta({ id: 'AgentVersionDetail', description: 'A version of an agent, whole.' })
export type AgentVersionDetail = z.infer<typeof AgentVersionDetail>

const ofAgent = { id: Id.describe('The agent_id that `createAgent` answered with.') }
const ById = z.strictObject(ofAgent)
const ByVersion = z.strictObject({
  ...ofAgent,
  version: wholeNumber(VersionNumber).describe('The number of the version, counted from 1.'),
})
const tag = 'Agents'

const config = {
  agent_name: 'Receptionist',
  agent_prompt: 'Speak slowly.',
  llm_agent: { agent_type: 'simple_llm_agent' },
  agent_type: 'other',
  status: 'active',
  task_config: TaskConfig.parse({}),
}
const second = {
  version: 2,
  is_current: true,
  status: 'active',
  author: { type: 'user', id: exampleIds.notice, name: 'ada@example.com' },
  saved_at: exampleTimes.later,
  restored_from: null,
  changed: ['agent_config.agent_prompt'],
}
const first = {
  ...second,
  version: 1,
  is_current: false,
  changed: null,
  author: { type: 'key', id: exampleIds.event, name: 'CI' },
  saved_at: exampleTimes.created,
}

export const listAgentVersions = operation({
  ...voiceAddresses.listAgentVersions,
  tag,
  summary: 'List the versions of an agent, newest first',
  description: `Every change to an agent makes a version, whoever makes it and however; a request that changes nothing does not. The last ${keptVersions} are kept, and older ones as long as there is a call that was made with them: \`listCalls\` finds these by \`agent_version\`.`,
  params: ById,
  query: PageQuery,
  data: pageOf(AgentVersion),
  example: { params: { id: exampleIds.agent }, data: onePage<unknown>(second, first) },
})

export const getAgentVersion = operation({
  ...voiceAddresses.getAgentVersion,
  tag,
  summary: 'Get a version of an agent',
  description:
    'The whole agent as it was, and what differs from the version before or from the one that `compare_with` names.',
  params: ByVersion,
  query: z.strictObject({
    compare_with: wholeNumber(VersionNumber)
      .optional()
      .describe('The version to compare it with, counted from 1. Left out: the one before.'),
  }),
  data: AgentVersionDetail,
  example: {
    params: { id: exampleIds.agent, version: 1 },
    query: { compare_with: 1 },
    data: { ...first, agent_config: config, compared_with: 1, diff: [] },
  },
})

export const restoreAgentVersion = operation({
  ...voiceAddresses.restoreAgentVersion,
  tag,
  summary: 'Bring a version of an agent back',
  description:
    'Makes the agent what it was, secrets included, as a new version: nothing is lost, and it can be undone the same way. Its status stays as it is. A version that refers to a tool, a repository or a number that is gone is refused.',
  params: ByVersion,
  data: UpdatedAgent,
  example: {
    params: { id: exampleIds.agent, version: 1 },
    data: {
      agent_id: exampleIds.agent,
      agent_config: config,
      status: 'active',
      version: 3,
      created_at: exampleTimes.created,
      updated_at: exampleTimes.later,
    },
  },
})
