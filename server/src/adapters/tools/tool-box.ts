// An agent's own tools: each a request to an address that its owner gave, through the guard.
import type { Guard } from '../../platform/guard/guard.ts'
import { type Answered, OutboundError, outbound } from '../../platform/outbound.ts'
import type { ToolPlan, ToolTarget } from '../../ports/call-plan.ts'
import type { ToolCall } from '../../ports/language-model.ts'
import type { ToolBox } from '../../ports/tools.ts'
import { wrongIn } from './check-arguments.ts'
import { fill, fillUrl, fillWords, type Values } from './template.ts'

export interface ToolBoxOptions {
  readonly guard: Guard
  /** The call's own; an argument of the same name takes precedence. */
  readonly variables: Values
  readonly timeoutMs?: number
}

// The caller is waiting in silence.
const usualTimeoutMs = 10_000
// As much as a model can read without losing focus.
const answerLimitBytes = 16_384
const reasonLimitChars = 300

export function openToolBox(tools: readonly ToolPlan[], options: ToolBoxOptions): ToolBox {
  const find = (name: string) => tools.find(({ description }) => description.name === name)
  return {
    descriptions: tools.map(({ description }) => description),
    waitingWords: (name) => find(name)?.waitingWords,
    async run(call, signal) {
      const tool = find(call.name)
      if (!tool?.target) return `There is no tool "${call.name}".`
      const values = argumentsOf(call)
      if (!values) return 'The arguments must be a JSON object.'
      const wrong = wrongIn(tool.description.parameters, values)
      return wrong ?? ask(tool.target, values, options, signal)
    },
  }
}

function argumentsOf({ arguments: written }: ToolCall): Values | undefined {
  try {
    const value: unknown = JSON.parse(written || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

async function ask(
  target: ToolTarget,
  given: Values,
  { guard, variables, timeoutMs = usualTimeoutMs }: ToolBoxOptions,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted()
  try {
    const limits = { timeoutMs, responseLimitBytes: answerLimitBytes, signal }
    const request = requestOf(target, given, variables)
    return told(await outbound(guard, { ...request, ...limits }))
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error
    const what = error instanceof OutboundError ? 'The tool could not be reached' : 'The tool was not asked'
    return `${what}: ${error.message}.`
  }
}

function requestOf(target: ToolTarget, given: Values, variables: Values) {
  const { method } = target
  const values = { ...variables, ...given }
  const sent = target.param === undefined ? given : fill(target.param, values)
  const own = Object.entries(target.headers).map(([name, words]) => [
    name.toLowerCase(),
    fillWords(words, values),
  ])
  const headers = { 'user-agent': 'Parley/1.0', ...Object.fromEntries(own) }
  const url = new URL(fillUrl(target.url, values))
  if (method === 'POST') {
    const body = JSON.stringify(sent)
    return { method, url: url.href, headers: { 'content-type': 'application/json', ...headers }, body }
  }
  for (const [name, value] of Object.entries(sent ?? {}))
    url.searchParams.append(name, fillWords('{value}', { value }))
  return { method, url: url.href, headers }
}

function told({ status, body }: Answered): string {
  const text = body.toString('utf8').trim()
  const isCut = body.length >= answerLimitBytes
  if (status >= 200 && status < 300) return text ? `${text}${isCut ? ' … (cut)' : ''}` : 'Done.'
  return `The tool answered ${status}${text && `: ${text.slice(0, reasonLimitChars)}`}.`
}
