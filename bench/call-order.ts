// The order of a benchmark call, with the parts that no benchmark measures.
import { AgentConfig } from '../contract/src/index.ts'
import type { CallParts } from '../server/src/call/session.ts'
import type { CallOrder } from '../server/src/ports/call.ts'

export type Agent = Partial<typeof AgentConfig._input>

export const orderOf = (sessionId: string, agent: Agent, metadata: unknown = null): CallOrder => ({
  sessionId,
  workspaceId: 'bench',
  agentId: 'bench',
  agent: AgentConfig.parse({ agent_name: 'Bench', llm_agent: {}, ...agent }),
  callType: 'outbound',
  to: '+15550100',
  from: null,
  variables: {},
  metadata,
})

export const unmeasured: Pick<CallParts, 'voice' | 'tools' | 'engines' | 'systemVariables'> = {
  voice: 'slt',
  tools: { descriptions: [], waitingWords: () => undefined, run: async () => '' },
  engines: [],
  systemVariables: {},
}
