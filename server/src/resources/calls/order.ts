// From a claimed call to what the engine is given: the agent as it is now, with the call's own words in it.
import type { CallOrder } from '../../ports/call.ts'
import { agentOf, type OpenSecrets, textsOf } from './agent-of-call.ts'
import type { ClaimedCall } from './backlog.ts'

export interface Ordered {
  readonly order: CallOrder
  /** What of the agent does not fit its schema and was left out, by its path. */
  readonly leftOut: readonly string[]
}

/** Undefined when the agent is gone. */
export function orderOf(call: ClaimedCall, openSecrets: OpenSecrets): Ordered | undefined {
  const read = agentOf(call, openSecrets)
  if (!read) return undefined
  const order: CallOrder = {
    sessionId: call.session_id,
    workspaceId: call.workspace_id,
    agentId: call.agent_id,
    agent: read.agent,
    callType: call.call_type,
    to: call.to_phone_number,
    from: call.from_phone_number,
    variables: textsOf(call.variables),
    metadata: call.metadata,
  }
  return { order, leftOut: read.leftOut }
}
