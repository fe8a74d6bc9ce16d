// The tools that an agent names in `tool_definition_ids`, from their rows. What cannot be used is reported.
import type { McpServerPlan, ToolPlan } from '../../../ports/call-plan.ts'
import { planTool, type ToolOfCall } from '../../tools/tools.ts'
import type { OpenSecrets } from './agent-of-call.ts'

export interface StoredTools {
  readonly tools: readonly ToolPlan[]
  readonly servers: readonly McpServerPlan[]
  /** A sentence for each that was left out. */
  readonly problems: readonly string[]
}

export const noStoredTools: StoredTools = { tools: [], servers: [], problems: [] }

/** A tool as the claim of a call has it: JSON, in which bytes are hexadecimal digits after a mark. */
export interface ClaimedTool extends Omit<ToolOfCall, 'secrets'> {
  readonly secrets: string | null
}

const rowOf = ({ secrets, ...tool }: ClaimedTool): ToolOfCall => ({
  ...tool,
  secrets: secrets === null ? null : Buffer.from(secrets.replace(/^\\x/, ''), 'hex'),
})

export function readStoredTools(
  ids: readonly string[],
  claimed: readonly ClaimedTool[],
  openSecrets: OpenSecrets,
): StoredTools {
  const byId = new Map(claimed.map((tool) => [tool.tool_id, rowOf(tool)]))
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const planned = wanted.flatMap((id) => {
    const row = byId.get(id)
    return row ? [planTool(row, openSecrets)] : []
  })
  return {
    tools: planned.flatMap((one) => (one.is === 'tool' ? [one.tool] : [])),
    servers: planned.flatMap((one) => (one.is === 'server' ? [one.server] : [])),
    problems: wanted
      .filter((id) => !byId.has(id))
      .map((id) => `the tool ${id} in tool_definition_ids no longer exists and was left out`),
  }
}

/** All tools of an agent: of two with the same name the first counts. */
export function joinTools(
  own: readonly ToolPlan[],
  stored: readonly ToolPlan[],
  mayTransfer: boolean,
): Pick<StoredTools, 'tools' | 'problems'> {
  const tools: ToolPlan[] = [...own]
  const problems: string[] = []
  for (const tool of stored) {
    const { name } = tool.description
    if (!mayTransfer && !tool.target && name === 'transfer_call')
      problems.push('the tool transfer_call needs a destination in call_transfer_config and was left out')
    else if (tools.some(({ description }) => description.name === name))
      problems.push(`the agent has two tools named ${name}; the second one was left out`)
    else tools.push(tool)
  }
  return { tools, problems }
}
