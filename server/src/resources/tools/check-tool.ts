// What the fields of a tool must be together, and the schema of its arguments.
import { builtInTools, type Fault, systemVariables, type ToolType } from '@parley/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fail } from '../../http/failure.ts'
import { readTemplate } from './plan-tool.ts'
import type { ToolConfig } from './store.ts'

const common = ['name', 'description', 'pre_call_message'] as const
const remote = [...common, 'url', 'headers', 'timeout_seconds', 'save'] as const

/** The keys of a tool, by its type. */
export const fieldsOf: Readonly<Record<ToolType, readonly (keyof ToolConfig)[]>> = {
  http: [...remote, 'parameters', 'method', 'query', 'body'],
  mcp: [...remote, 'tool_names'],
  built_in: common,
}

/** Throws VALIDATION_ERROR with everything that is wrong. */
export function checkTool(type: ToolType, config: ToolConfig): void {
  const strange = Object.keys(config).filter(
    (field) =>
      !fieldsOf[type].includes(field as keyof ToolConfig) && config[field as keyof ToolConfig] !== null,
  )
  const details = [
    ...strange.map((path) => ({ path, message: `A tool of type ${type} has no ${path}; leave it out.` })),
    ...(type === 'built_in' ? builtInFaults(config) : remoteFaults(config)),
    ...(type === 'http' ? httpFaults(config) : []),
  ]
  if (details.length > 0) fail('VALIDATION_ERROR', { details })
}

const builtInFaults = ({ name }: ToolConfig): Fault[] =>
  isBuiltIn(name) ? [] : [{ path: 'name', message: `Must be one of ${builtInTools.join(', ')}.` }]

export const isBuiltIn = (name: string): boolean => (builtInTools as readonly string[]).includes(name)

function remoteFaults({ name, url, save }: ToolConfig): Fault[] {
  const reserved = Object.keys(save ?? {}).filter((variable) => systemVariables.includes(variable))
  return [
    ...(isBuiltIn(name)
      ? [{ path: 'name', message: `${name} is a tool of the call itself; choose another name.` }]
      : []),
    ...urlFaults(url),
    ...reserved.map((variable) => ({
      path: `save.${variable}`,
      message: 'Is a variable of the system; choose another name.',
    })),
  ]
}

function urlFaults(url: string | null): Fault[] {
  const message = (() => {
    if (url === null) return 'Is needed: where the tool is, beginning with https://.'
    // The model fills in the arguments: it must not choose which host gets the headers.
    if (!/^https?:\/\/[^/?#{%]+([/?#]|$)/.test(url)) return 'Must have a host without placeholders.'
    return URL.canParse(url) ? undefined : 'Is not a web address.'
  })()
  return message === undefined ? [] : [{ path: 'url', message }]
}

/** Throws for what no header can carry. `before`: with secrets shown by their ends, as they may be sent back. */
export function checkHeaders({ headers }: ToolConfig, before?: ToolConfig): void {
  const details = Object.entries(headers ?? {}).flatMap(([name, value]) => {
    const strange = value === before?.headers?.[name] ? null : /[^\t\x20-\x7e\x80-\xff]/u.exec(value)
    const message = `Has the character “${strange}”, which a header cannot have.`
    return strange ? [{ path: `headers.${name}`, message }] : []
  })
  if (details.length > 0) fail('VALIDATION_ERROR', { details })
}

function httpFaults({ method, body, parameters }: ToolConfig): Fault[] {
  return [
    ...(method === 'GET' && body !== null
      ? [{ path: 'body', message: 'A GET has no body; use query, or another method.' }]
      : []),
    ...(typeof body === 'string' && readTemplate(body) === 'unreadable'
      ? [{ path: 'body', message: 'Must be JSON when its placeholders are filled in.' }]
      : []),
    ...(parameters === null ? [] : schemaFaults(parameters)),
  ]
}

// Only validates schemas: those of users are never compiled.
const schemas = new Ajv2020({ allErrors: true, logger: false })
// A reader mends the first few.
const mostFaults = 5

function schemaFaults(parameters: object): Fault[] {
  if ((parameters as { type?: unknown }).type !== 'object')
    return [{ path: 'parameters.type', message: 'Must be object: a model gives its arguments by name.' }]
  let isValid: unknown
  try {
    isValid = schemas.validateSchema(parameters)
  } catch {
    return [{ path: 'parameters.$schema', message: 'Must be draft 2020-12, or left out.' }]
  }
  if (isValid === true) return []
  const faults = (schemas.errors ?? []).map(({ instancePath, message = 'is not valid' }) => ({
    path: `parameters${instancePath.replaceAll('/', '.')}`,
    message: `Is not a valid JSON Schema: ${message}.`,
  }))
  const once = new Map(faults.map((fault) => [fault.path, fault]))
  return [...once.values()].slice(0, mostFaults)
}
