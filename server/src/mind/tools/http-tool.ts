// A tool that is one HTTP request: fills its templates, sends it through the guard and reads the answer.
import type { Guard } from '../../platform/guard/guard.ts'
import { type OutboundAnswer, OutboundError, requestOutside } from '../../platform/outbound.ts'
import type { ToolTarget } from '../../ports/call-plan.ts'
import type { ToolRequest } from '../../ports/tools.ts'
import { fill, fillUrl, fillWords, placeholdersIn, type TemplateValues } from './template.ts'
import { cut, dataOf, type ToolAnswer } from './tool-answer.ts'

// The caller waits in silence meanwhile.
const usualTimeoutMs = 10_000
const reasonLimitChars = 300
// Fields that become variables may stand further down than the model reads.
const dataLimitBytes = 262_144

interface HttpRequest extends ToolRequest {
  readonly method: ToolTarget['method']
  readonly headers: Record<string, string>
  readonly body?: string
}

const takesBody = (method: ToolTarget['method']): boolean => ['POST', 'PUT', 'PATCH'].includes(method)

/** Builds the request. Throws if an argument cannot be part of the address. */
export function requestOf(target: ToolTarget, given: TemplateValues, variables: TemplateValues): HttpRequest {
  const { method } = target
  const values = { ...variables, ...given }
  const url = new URL(fillUrl(target.url, values))
  for (const [name, value] of Object.entries(queryOf(target, given, values)))
    url.searchParams.append(name, fillWords('{value}', { value }))
  const template = target.body ?? (takesBody(method) ? given : undefined)
  const own = Object.entries(target.headers).map(([name, words]) => [
    name.toLowerCase(),
    fillWords(words, values),
  ])
  const headers = { 'user-agent': 'Parley/1.0', ...Object.fromEntries(own) }
  if (template === undefined) return { method, url: url.href, headers }
  // The arguments themselves are no template: what a model writes between braces stays.
  const body = JSON.stringify(template === given ? given : fill(template, values))
  return { method, url: url.href, headers: { 'content-type': 'application/json', ...headers }, body }
}

/** The query without a template: the arguments, if there is no body, less those in the path. */
function queryOf(
  { method, url, query, body }: ToolTarget,
  given: TemplateValues,
  values: TemplateValues,
): TemplateValues {
  if (query !== undefined && query !== null) return (fill(query, values) ?? {}) as TemplateValues
  if (takesBody(method) || body !== undefined) return {}
  const inUrl = placeholdersIn(url)
  return Object.fromEntries(Object.entries(given).filter(([name]) => !inUrl.has(name)))
}

export interface HttpAnswer extends ToolAnswer {
  readonly status: number | null
}

/** A failure is an answer for the model, too; only an aborted request throws. */
export async function askTool(
  guard: Guard,
  makeRequest: () => HttpRequest,
  signal: AbortSignal,
  timeoutMs = usualTimeoutMs,
): Promise<HttpAnswer> {
  signal.throwIfAborted()
  try {
    const limits = { timeoutMs, responseLimitBytes: dataLimitBytes, signal }
    return answerOf(await requestOutside(guard, { ...makeRequest(), ...limits }))
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error
    const what = error instanceof OutboundError ? 'The tool could not be reached' : 'The tool was not asked'
    return { status: null, ok: false, text: `${what}: ${error.message}.` }
  }
}

function answerOf({ status, body }: OutboundAnswer): HttpAnswer {
  const text = body.toString('utf8').trim()
  if (status >= 200 && status < 300)
    return { status, ok: true, text: text ? cut(text) : 'Done.', data: dataOf(text) }
  const reason = text && `: ${text.slice(0, reasonLimitChars)}`
  return { status, ok: false, text: `The tool answered ${status}${reason}.` }
}
