// Labels for the status and the speech engines of an agent.
import type { AgentStatus } from '@parley/contract'
import { companies, synthesizers, transcriberNames } from '@parley/contract/companies'
import type { Tone } from '../ui/words/badge.tsx'

export const statusTones: Record<AgentStatus, Tone> = { active: 'good', inactive: 'off', seeding: 'wait' }

export const statusWords: Record<AgentStatus, string> = {
  active: 'Active',
  inactive: 'Inactive',
  seeding: 'Seeding',
}

export const synthesizerWords = Object.fromEntries(
  synthesizers.map(({ company, name }) => [name, companies[company].label]),
)

export const transcriberWords = Object.fromEntries(
  transcriberNames.map((name) => [name, companies[name].label]),
)

/** Where the warnings of an agent's creation wait for its page. */
export const warningsKey = (workspaceId: string, agentId: string) => ['warnings', workspaceId, agentId]
