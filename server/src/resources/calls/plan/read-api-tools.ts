// An agent's `api_tools`, written by hand or by forms: read leniently; what cannot be used is reported.
import { z } from 'zod'
import type { ToolPlan } from '../../../ports/call-plan.ts'
import type { ToolDescription } from '../../../ports/language-model.ts'
import { readTemplate } from '../../tools/tools.ts'

export interface ApiTools {
  readonly tools: readonly ToolPlan[]
  /** A sentence for each tool that was left out. */
  readonly problems: readonly string[]
}

/** An object or a list, or a string with its JSON. */
const orJson = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? (jsonIn(value) ?? value) : value), schema)

const AnyObject = z.record(z.string(), z.unknown())

const Words = z.union([
  z.string(),
  // By language: English, else the first.
  z.record(z.string(), z.string()).transform((words) => words.en ?? Object.values(words)[0]),
])

const Tool = z.object({
  name: z.string().regex(/^[\w-]{1,64}$/, 'needs a name of letters, digits, _ and -'),
  description: z.string().nullish(),
  parameters: orJson(AnyObject).nullish(),
  pre_call_message: Words.nullish(),
  key: z.string().nullish(),
  value: z.unknown().optional(),
})

const TargetOnWire = z.object({
  url: z
    .string('needs a url')
    .regex(/^https?:\/\//, 'needs a url that begins with https://')
    // The model fills in the arguments: it must not choose which host gets the headers.
    .regex(/^https?:\/\/[^/?#{%]+([/?#]|$)/, 'must not have a placeholder in the host of its url'),
  method: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['GET', 'POST'], 'must use GET or POST'))
    .default('GET'),
  headers: orJson(
    z.record(z.string(), z.coerce.string(), 'needs headers that are an object of texts'),
  ).nullish(),
  api_token: z.string().nullish(),
  param: z.unknown().optional(),
  pre_call_message: Words.nullish(),
})

const ApiToolsOnWire = orJson(
  z.object({ tools: orJson(z.array(z.unknown())).default([]), tools_params: orJson(AnyObject).nullish() }),
)

/** Handled by the call itself, under these names. */
const ofCall = ['end_call', 'transfer_call', 'send_dtmf', 'set_variable']
const noParameters = { type: 'object', properties: {} }

export interface ReadingOptions {
  /** Whether there is a destination for `transfer_call`. */
  readonly mayTransfer: boolean
}

export function readApiTools(written: unknown, { mayTransfer }: ReadingOptions): ApiTools {
  if (written === undefined || written === null) return { tools: [], problems: [] }
  const read = ApiToolsOnWire.safeParse(written)
  if (!read.success) {
    return { tools: [], problems: ['api_tools must be an object with a list `tools`; it was left aside'] }
  }
  const { tools, tools_params: params } = read.data
  const results = tools
    .map((tool, place) => readTool(tool, place, params ?? {}))
    .map((tool) => (mayTransfer ? tool : withoutTransfer(tool)))
  return {
    tools: results.filter((result) => typeof result !== 'string'),
    problems: results.filter((result) => typeof result === 'string'),
  }
}

const withoutTransfer = (tool: ToolPlan | string): ToolPlan | string =>
  typeof tool === 'object' && !tool.target && tool.description.name === 'transfer_call'
    ? 'the tool transfer_call needs a destination in call_transfer_config and was left out'
    : tool

/** The tool, or a sentence that says what is wrong with it. */
function readTool(written: unknown, place: number, params: Record<string, unknown>): ToolPlan | string {
  const read = Tool.safeParse(unwrapped(written))
  if (!read.success) return `tool ${place + 1} ${reasonOf(read.error)} and was left out`
  const { name, description, parameters, pre_call_message, key, value } = read.data
  const describe = (as: string): ToolDescription => ({
    name: as,
    description: description ?? '',
    parameters: parameters ?? noParameters,
  })
  const waitingWords = pre_call_message ?? undefined
  if (key && ofCall.includes(key)) return { description: describe(key), waitingWords, target: undefined }
  if (key && key !== 'custom_task') return `the tool ${name} has the unknown key ${key} and was left out`
  const target = TargetOnWire.safeParse({ ...objectIn(value), ...objectIn(params[name]) })
  if (!target.success) return `the tool ${name} ${reasonOf(target.error)} and was left out`
  const { url, method, headers, api_token: token, param, pre_call_message: words } = target.data
  const template = param === undefined || param === null ? undefined : readTemplate(param)
  if (template === 'unreadable') return `the tool ${name} has a param that is not JSON and was left out`
  return {
    description: describe(name),
    waitingWords: waitingWords ?? words ?? undefined,
    target: {
      url,
      method,
      headers: { ...(token && { authorization: token }), ...headers },
      ...(method === 'GET' ? { query: template, body: undefined } : { query: undefined, body: template }),
    },
  }
}

/** Unwraps OpenAI's tool format, `{type: 'function', function: {…}}`; the bare form is accepted too. */
function unwrapped(written: unknown): unknown {
  const { function: inner, ...outer } = objectIn(written)
  return inner === undefined ? written : { ...outer, ...objectIn(inner) }
}

const objectIn = (value: unknown): Record<string, unknown> => orJson(AnyObject).safeParse(value).data ?? {}

function reasonOf(error: z.ZodError): string {
  const [issue] = error.issues
  const message = issue?.message ?? ''
  return /^(needs|must)/.test(message) ? message : `has a bad ${issue?.path.join('.') || 'form'}`
}

/** Parses JSON that a form sent as a text; undefined if it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
