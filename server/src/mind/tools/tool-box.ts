// An agent's own tools: requests to addresses that its owner gave, and those of MCP servers, all through the guard.
import type { Guard } from '../../platform/guard/guard.ts'
import type { ToolAnswerRules, ToolPlan, ToolTarget } from '../../ports/call-plan.ts'
import type { ToolCall } from '../../ports/language-model.ts'
import type { CallVariables, ToolBox } from '../../ports/tools.ts'
import { wrongIn } from './check-arguments.ts'
import { askTool, requestOf } from './http-tool.ts'
import type { McpTools } from './mcp-tools.ts'
import type { TemplateValues } from './template.ts'
import { savedFrom, type ToolAnswer, withoutSecrets } from './tool-answer.ts'

export interface ToolBoxOptions {
  readonly guard: Guard
  /** The variables of the call; an argument of the same name takes precedence. */
  readonly variables: CallVariables
  readonly mcp?: McpTools | undefined
  /** Sent with every request, unless the tool has its own. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The time-out of tools without one of their own. */
  readonly timeoutMs?: number
}

export function openToolBox(tools: readonly ToolPlan[], options: ToolBoxOptions): ToolBox {
  const { variables, mcp } = options
  const find = (name: string) => tools.find(({ description }) => description.name === name)
  // One server may repeat what another one has been told.
  const secrets = [...tools.flatMap(({ target }) => target?.answer?.secrets ?? []), ...(mcp?.secrets ?? [])]
  const kept = (answer: ToolAnswer, rules: Pick<ToolAnswerRules, 'save'> = { save: {} }): string => {
    variables.save(savedFrom(answer, rules))
    return withoutSecrets(answer.text, { secrets })
  }
  return {
    get descriptions() {
      const own = tools.map(({ description }) => description)
      return [...own, ...(mcp?.descriptions(own.map(({ name }) => name)) ?? [])]
    },
    waitingWords: (name) => {
      const words = (find(name) ?? mcp?.find(name))?.waitingWords
      return words === undefined ? undefined : variables.fill(words) || undefined
    },
    async run(call, signal) {
      const target = find(call.name)?.target
      const remote = target ? undefined : mcp?.find(call.name)
      const description = target ? find(call.name)?.description : remote?.description
      if (!description) return `There is no tool "${call.name}".`
      const values = argumentsOf(call)
      if (!values) return 'The arguments must be a JSON object.'
      const wrong = wrongIn(description.parameters, values)
      if (wrong) return wrong
      if (target) return kept(await ask(target, values, options, signal), target.answer)
      return remote ? kept(await remote.run(values, signal), remote.answer) : ''
    },
  }
}

function argumentsOf({ arguments: written }: ToolCall): TemplateValues | undefined {
  try {
    const value: unknown = JSON.parse(written || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const ask = (
  target: ToolTarget,
  given: TemplateValues,
  { guard, variables, headers, timeoutMs }: ToolBoxOptions,
  signal: AbortSignal,
) => {
  const request = () => {
    const own = requestOf(target, given, variables.values)
    return { ...own, headers: { ...headers, ...own.headers } }
  }
  return askTool(guard, request, signal, target.timeoutMs ?? timeoutMs)
}
