// All tools of an agent in a call, and which texts have to wait for what they save.
import type { McpServerPlan, ToolPlan } from '../../../ports/call-plan.ts'
import { planTool, type ToolOfCall } from '../../tools/tools.ts'
import type { OpenSecrets } from './agent-of-call.ts'
import type { Fill } from './fill-variables.ts'
import { readApiTools } from './read-api-tools.ts'

export interface PlannedTools {
  readonly tools: readonly ToolPlan[]
  readonly mcpServers: readonly McpServerPlan[]
  /** Tools may set variables. */
  readonly fillsLate: boolean
  /** Fills prompts now, or leaves them to the call. */
  readonly fill: Fill
  /** Whether a tool may set this variable. */
  readonly isSetLater: (name: string) => boolean
  readonly problems: readonly string[]
}

export interface ToolSources {
  readonly apiTools: unknown
  readonly stored: StoredTools
  readonly mayTransfer: boolean
}

export function planTools({ apiTools, stored, mayTransfer }: ToolSources, fillNow: Fill): PlannedTools {
  const own = readApiTools(apiTools, { mayTransfer })
  const joined = joinTools(own.tools, stored.tools, mayTransfer)
  const { isNone, has } = namesSetLater(joined.tools, stored.servers)
  const fill = isNone ? fillNow : late(fillNow)
  return {
    tools: joined.tools.map((tool) => withWords(tool, fill)),
    mcpServers: stored.servers.map((server) => withWords(server, fill)),
    fillsLate: !isNone,
    fill,
    isSetLater: has,
    problems: [...own.problems, ...stored.problems, ...joined.problems],
  }
}

/** A tool that the call itself runs. */
export const hasOwnTool = (tools: readonly ToolPlan[], wanted: string): boolean =>
  tools.some(({ description, target }) => !target && description.name === wanted)

/** Which variables tools may set: those they save, or any. */
function namesSetLater(tools: readonly ToolPlan[], servers: readonly McpServerPlan[]) {
  const rules = [...tools.map(({ target }) => target?.answer), ...servers.map(({ answer }) => answer)]
  const names = new Set(rules.flatMap((rule) => Object.keys(rule?.save ?? {})))
  const isAny = hasOwnTool(tools, 'set_variable')
  return { isNone: names.size === 0 && !isAny, has: (name: string) => isAny || names.has(name) }
}

/** Looks for variables without a value now, and leaves the filling to the call. */
const late =
  (fill: Fill): Fill =>
  (text) => {
    fill(text)
    return text
  }

/** Only spoken texts are filled here: the rest gets the model's arguments when it calls the tool. */
const withWords = <Spoken extends { readonly waitingWords: string | undefined }>(
  spoken: Spoken,
  fill: Fill,
): Spoken => ({
  ...spoken,
  waitingWords: spoken.waitingWords === undefined ? undefined : fill(spoken.waitingWords) || undefined,
})

// The tools that an agent names in `tool_definition_ids`, from their rows. What cannot be used is reported.

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
function joinTools(
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
