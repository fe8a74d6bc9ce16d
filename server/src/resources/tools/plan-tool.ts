// From a stored tool to what a call is made from.
import type { McpServerPlan, ToolAnswerRules, ToolPlan } from '../../ports/call-plan.ts'
import type { ToolConfig, ToolRow } from './store.ts'
import { type OpenToolSecrets, openToolSecrets, secretsIn } from './tool-secrets.ts'

export type PlannedTool =
  | { readonly is: 'tool'; readonly tool: ToolPlan }
  | { readonly is: 'server'; readonly server: McpServerPlan }

/** The columns of a tool that a call needs. */
export type ToolOfCall = Pick<ToolRow, 'tool_id' | 'type' | 'config' | 'secrets'>

const noParameters = { type: 'object', properties: {} }
const usualTimeoutSeconds = 10

export function planTool(row: ToolOfCall, open: OpenToolSecrets): PlannedTool {
  const config = openToolSecrets(open, row)
  const answer: ToolAnswerRules = { save: config.save ?? {}, secrets: secretsIn(config, row.config) }
  if (row.type === 'mcp') return { is: 'server', server: serverOf(config, answer) }
  return {
    is: 'tool',
    tool: {
      description: {
        name: config.name,
        description: config.description ?? '',
        parameters: config.parameters ?? noParameters,
      },
      waitingWords: config.pre_call_message ?? undefined,
      target: row.type === 'built_in' ? undefined : targetOf(config, answer),
    },
  }
}

const timeoutOf = ({ timeout_seconds }: ToolConfig): number =>
  (timeout_seconds ?? usualTimeoutSeconds) * 1_000

export const targetOf = (config: ToolConfig, answer: ToolAnswerRules): ToolPlan['target'] => ({
  url: config.url ?? '',
  method: config.method ?? 'POST',
  headers: config.headers ?? {},
  query: config.query ?? undefined,
  body: config.body === null ? undefined : readTemplate(config.body),
  timeoutMs: timeoutOf(config),
  answer,
})

const serverOf = (config: ToolConfig, answer: ToolAnswerRules): McpServerPlan => ({
  name: config.name,
  description: config.description ?? '',
  url: config.url ?? '',
  headers: config.headers ?? {},
  toolNames: config.tool_names,
  timeoutMs: timeoutOf(config),
  waitingWords: config.pre_call_message ?? undefined,
  answer,
})

/** A placeholder may be written without quotation marks: {"count": %(count)i}. */
const bare = /([:[,]\s*)(%\(\w+\)[sdif])(?=\s*[,\]}])/g

export function readTemplate(written: unknown): unknown | 'unreadable' {
  if (typeof written === 'object') return written
  if (typeof written !== 'string') return 'unreadable'
  for (const text of [written, written.replace(bare, '$1"$2"')]) {
    try {
      return JSON.parse(text)
    } catch {}
  }
  return 'unreadable'
}
