// The agent of a call: as it is now, with its keys and the call's own words in it.
import { AgentConfig } from '@parley/contract'
import type { z } from 'zod'

/** What a row says about the agent of its call. */
export interface OrderedAgent {
  agent_id: string
  /** As JSON; null when the agent is gone. */
  agent: string | null
  secrets: Buffer | null
  agent_overrides: Record<string, string> | null
}

/** The configuration with its keys put back. */
export type OpenSecrets = (agentId: string, config: object, sealed: Buffer | null) => object

/** Undefined when the agent is gone. */
export function agentOf(
  { agent_id, agent, secrets, agent_overrides }: OrderedAgent,
  openSecrets: OpenSecrets,
): { agent: AgentConfig; leftOut: string[] } | undefined {
  if (agent === null) return undefined
  return readAgent({ ...openSecrets(agent_id, JSON.parse(agent), secrets), ...agent_overrides })
}

export const textsOf = (variables: Record<string, unknown> | null): Record<string, string> =>
  Object.fromEntries(Object.entries(variables ?? {}).map(([name, value]) => [name, String(value)]))

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
