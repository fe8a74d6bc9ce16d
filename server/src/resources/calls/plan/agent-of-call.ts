// The agent of a call: its current configuration, with secrets restored and the call's overrides applied.
import { CalledAgent } from '@parley/contract'
import type { z } from 'zod'

/** The columns of a row that describe the call's agent. */
export interface ClaimedAgent {
  agent_id: string
  /** JSON; null if the agent was deleted. */
  agent: string | null
  secrets: Buffer | null
  agent_overrides: AgentOverrides | null
}

/**
 * Joins the agent of a call, under the name `agent`: its configuration as it is now, or the one that the call tries.
 * The columns of the call are to be had under `call`.
 */
export const joinAgent = (call: string, agent: string): string => `LEFT JOIN LATERAL (
      SELECT config, secrets FROM agents
      WHERE NOT ${call}.draft AND workspace_id = ${call}.workspace_id AND agent_id = ${call}.agent_id
      UNION ALL
      SELECT config, secrets FROM call_drafts WHERE ${call}.draft AND session_id = ${call}.session_id) ${agent} ON true`

/** For one call. All but the ring time-out replace keys of the agent's configuration. */
export interface AgentOverrides {
  readonly [key: string]: string | number | undefined
  readonly ring_timeout_seconds?: number
}

/** Restores the secrets of a configuration. */
export type OpenSecrets = (agentId: string, config: object, sealed: Buffer | null) => object

/** Undefined if the agent was deleted. */
export function agentOf(
  { agent_id, agent, secrets, agent_overrides }: ClaimedAgent,
  openSecrets: OpenSecrets,
): { agent: CalledAgent; leftOut: string[] } | undefined {
  if (agent === null) return undefined
  const { ring_timeout_seconds: _, ...overrides } = agent_overrides ?? {}
  return readAgent({ ...openSecrets(agent_id, JSON.parse(agent), secrets), ...overrides })
}

export const textsOf = (variables: Record<string, unknown> | null): Record<string, string> =>
  Object.fromEntries(Object.entries(variables ?? {}).map(([name, value]) => [name, String(value)]))

type Tree = Record<string, unknown>

/** Required fields, which an update may have removed. */
const least = { agent_name: 'Agent', llm_agent: {} }

/**
 * An update may store what a creation would refuse, as the specification requires. Such a call does not fail: invalid
 * fields are removed, so that their defaults apply.
 */
function readAgent(config: Tree): { agent: CalledAgent; leftOut: string[] } {
  const leftOut: string[] = []
  for (;;) {
    const read = CalledAgent.safeParse({ ...least, ...config })
    if (read.success) return { agent: read.data, leftOut }
    for (const path of read.error.issues.flatMap(pathsOf)) leftOut.push(removeAt(config, path))
  }
}

const pathsOf = (issue: z.core.$ZodIssue): PropertyKey[][] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]

/**
 * Removes the value at the path or, if it is missing, the object it is missing from. Removing an element of an array
 * would shift the others, so the whole array is removed.
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
