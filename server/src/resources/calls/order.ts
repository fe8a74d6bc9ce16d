// From a claimed call to what the engine is given: the agent as it is now, with the call's own words in it.
import { AgentConfig } from '@parley/contract'
import type { z } from 'zod'
import type { CallOrder } from '../../ports/call.ts'
import type { ClaimedCall } from './backlog.ts'

export interface Ordered {
  readonly order: CallOrder
  /** What of the agent does not fit its schema and was left out, by its path. */
  readonly leftOut: readonly string[]
}

/** Undefined when the agent is gone. */
export function orderOf(call: ClaimedCall): Ordered | undefined {
  if (call.agent === null) return undefined
  const { agent, leftOut } = readAgent({ ...JSON.parse(call.agent), ...call.agent_overrides })
  const variables = Object.entries(call.variables ?? {}).map(([name, value]) => [name, String(value)])
  const order: CallOrder = {
    sessionId: call.session_id,
    workspaceId: call.workspace_id,
    agentId: call.agent_id,
    agent,
    callType: call.call_type,
    to: call.to_phone_number,
    from: call.from_phone_number,
    variables: Object.fromEntries(variables),
    metadata: call.metadata,
  }
  return { order, leftOut }
}

type Tree = Record<string, unknown>

/** What must be there; an update may have emptied it. */
const least = { agent_name: 'Agent', llm_agent: {} }

/**
 * An update may write what a creation would refuse, as the specification has it. A call does not fail for that: what
 * does not fit is left out, so that its default counts.
 */
function readAgent(config: Tree): { agent: AgentConfig; leftOut: string[] } {
  const leftOut: string[] = []
  for (;;) {
    const read = AgentConfig.safeParse({ ...least, ...config })
    if (read.success) return { agent: read.data, leftOut }
    for (const path of read.error.issues.flatMap(pathsOf)) leftOut.push(removeAt(config, path))
  }
}

const pathsOf = (issue: z.core.$ZodIssue): PropertyKey[][] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]

/**
 * Takes out what is there; where something is missing, what it is missing from. What is inside an array cannot go
 * without moving the rest, so the whole array does.
 */
function removeAt(tree: Tree, path: readonly PropertyKey[]): string {
  const array = path.findIndex((key) => typeof key === 'number')
  const keys = (array < 0 ? path : path.slice(0, array)).map(String)
  for (; keys.length > 0; keys.pop()) {
    const last = keys.at(-1) as string
    const holder = keys.slice(0, -1).reduce<unknown>((at, key) => (at as Tree | undefined)?.[key], tree)
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, last)) continue
    delete (holder as Tree)[last]
    return keys.join('.')
  }
  throw new Error('the agent cannot be read')
}
