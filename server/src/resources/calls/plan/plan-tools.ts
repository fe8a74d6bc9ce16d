// All tools of an agent in a call, and which texts have to wait for what they save.
import type { McpServerPlan, ToolPlan } from '../../../ports/call-plan.ts'
import type { Fill } from './fill-variables.ts'
import { readApiTools } from './read-api-tools.ts'
import { joinTools, type StoredTools } from './read-stored-tools.ts'

export interface PlannedTools {
  readonly tools: readonly ToolPlan[]
  readonly mcpServers: readonly McpServerPlan[]
  /** Tools may set variables. */
  readonly fillsLate: boolean
  /** For prompts: fills them now, or leaves them to the call. */
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

/** Only spoken texts: the rest is filled with the model's arguments when it calls the tool. */
const withWords = <Spoken extends { readonly waitingWords: string | undefined }>(
  spoken: Spoken,
  fill: Fill,
): Spoken => ({
  ...spoken,
  waitingWords: spoken.waitingWords === undefined ? undefined : fill(spoken.waitingWords) || undefined,
})
