// The {variables} in the texts of an agent, and where their values come from.
import { isTree, type Tree } from '../ui/forms/tree.ts'

/** Variables that the service itself fills in every call. */
export const systemVariables: Readonly<Record<string, string>> = {
  agent_id: 'the id of the agent',
  session_id: 'the id of the call',
  from_phone_number: 'the number that calls',
  to_phone_number: 'the number that is called',
  current_date: 'today, in the agent’s time zone',
  current_time: 'the time, in the agent’s time zone',
  timezone: 'the agent’s time zone',
}

/** Variables that are filled for an agent that remembers callers. */
export const memoryVariables: Readonly<Record<string, string>> = {
  last_call_summary: 'what the last call was about',
  last_call_date: 'the day of the last call',
  caller_facts: 'everything that earlier calls found out',
  previous_calls: 'how many calls there were',
}

export type Source = 'system' | 'memory' | 'tool' | 'call'

export interface Variable {
  readonly name: string
  readonly from: Source
  /** The description of the variable, where there is one. */
  readonly about: string
}

const placeholder = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g
const fact = /^fact_/

export const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name)),
]

/** Every variable that some text of the configuration names, in the order of their first use. */
export function variablesOf(config: Tree, setByTools: readonly string[] = []): Variable[] {
  // In the texts of tools, braces hold the arguments of the model and not variables.
  const { api_tools, ...rest } = config
  const texts = [
    ...textsIn(rest),
    ...(isTree(api_tools) ? textsIn({ ...api_tools, tools: [], tools_params: {} }) : []),
  ]
  return [...new Set(texts.flatMap(namesIn))].map((name) => described(name, setByTools))
}

function described(name: string, setByTools: readonly string[]): Variable {
  const system = systemVariables[name]
  if (system) return { name, from: 'system', about: system }
  const memory = fact.test(name) ? 'what earlier calls found out' : memoryVariables[name]
  if (memory) return { name, from: 'memory', about: memory }
  if (setByTools.includes(name)) return { name, from: 'tool', about: 'from the answer of a tool' }
  return { name, from: 'call', about: 'given with each call, or by a column of a batch' }
}

/** The variables for which somebody has to give a value. */
export const asked = (variables: readonly Variable[]): Variable[] =>
  variables.filter(({ from }) => from === 'call')

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isTree(value) ? Object.values(value).flatMap(textsIn) : []
}
