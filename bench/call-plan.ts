// The plan of a call for the benchmarks, and the parts of it that none of them measures.
import { AgentConfig } from '../contract/src/index.ts'
import type { CallParts } from '../server/src/call/session.ts'
import type { CallPlan } from '../server/src/ports/call-plan.ts'
import { planOf } from '../server/src/resources/calls/plan/plan-call.ts'

export type Agent = Partial<typeof AgentConfig._input>

export const planFor = (sessionId: string, agent: Agent, metadata: unknown = null): CallPlan =>
  planOf(
    AgentConfig.parse({ agent_name: 'Bench', llm_agent: {}, ...agent }),
    {
      sessionId,
      workspaceId: 'bench',
      agentId: 'bench',
      callType: 'outbound',
      to: '+15550100',
      from: null,
      provider: 'sandbox',
      number: null,
      variables: {},
      metadata,
    },
    new Date(),
  )

export const unmeasured: Pick<CallParts, 'voice' | 'tools' | 'engines'> = {
  voice: 'heart',
  tools: { descriptions: [], waitingWords: () => undefined, run: async () => '' },
  engines: [],
}
