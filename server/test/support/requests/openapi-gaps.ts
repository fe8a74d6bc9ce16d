// What an OpenAPI document leaves unexplained, as a list of paths: texts, units, defaults, examples, samples, links.

export type Node = { readonly [key: string]: unknown }

interface Operation extends Node {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly tags: readonly Node[]
  readonly components: { readonly schemas: Readonly<Record<string, Node>> }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSentence = (text: unknown): text is string => typeof text === 'string' && /^\S.*[.)]$/s.test(text)

export const operationsOf = (document: OpenApi) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ at: `${method} ${path}`, method, operation })),
  )

/** Operations whose description says no more than their title, or that lack an example or a sample. */
export function operationGaps(document: OpenApi): string[] {
  return operationsOf(document).flatMap(({ at, operation }) => {
    const { summary, description = '', ...rest } = operation
    const samples = (rest['x-codeSamples'] ?? []) as readonly Node[]
    const bodies = [
      ...contentsOf(rest.requestBody, `${at} request`),
      ...Object.entries(rest.responses as Node)
        .filter(([status]) => status < '400')
        .flatMap(([status, response]) => contentsOf(response, `${at} ${status}`)),
    ]
    return [
      ...(isSentence(description) && description.length > summary.length + 40 ? [] : [`${at} description`]),
      ...bodies.filter(({ content }) => !hasExample(content)).map(({ where }) => `${where} example`),
      ...['Shell', 'TypeScript']
        .filter((lang) => !samples.some((sample) => sample.lang === lang && sample.source))
        .map((lang) => `${at} ${lang} sample`),
    ]
  })
}

const contentsOf = (holder: unknown, at: string) =>
  Object.entries(((holder as Node | undefined)?.content ?? {}) as Record<string, Node>)
    // A raw file has no example that anybody could read.
    .filter(([type]) => type !== 'application/octet-stream')
    .map(([type, content]) => ({ where: `${at} ${type}`, content }))

const hasExample = ({ example }: Node): boolean =>
  example !== undefined && !(isNode(example) && 'data' in example && example.data === undefined)

/** Every chapter says what it is about and leads to a guide. */
export const tagGaps = ({ tags }: OpenApi): string[] =>
  tags
    .filter(({ description, externalDocs }) => !isSentence(description) || !isNode(externalDocs))
    .map(({ name }) => `tag ${name}`)

/** What a number counts or measures. */
const unit =
  /seconds?\b|minutes|pixels|bytes|hertz|characters|tokens|words\b|how many|times it was|counted from|from -?\d|status code|penalt|share|currency/i

/** What holds without the field. */
const absence = /left out|null:|if that is missing/i

/**
 * Properties and parameters without a sentence; numbers without a unit; optional fields that do not say what holds
 * without them.
 */
export function fieldGaps(document: OpenApi): string[] {
  const gaps: string[] = []
  const look = (name: string, field: Node, at: string, mayBeAbsent: boolean) => {
    const text = field.description
    if (!isSentence(text)) gaps.push(`${at}: no sentence`)
    else if (isNumber(field) && !unit.test(text)) gaps.push(`${at}: no unit`)
    else if (mayBeAbsent && !('default' in field) && !absence.test(text)) gaps.push(`${at}: no default`)
    if (typeof text === 'string' && text.toLowerCase().startsWith(`${name.replaceAll('_', ' ')}.`))
      gaps.push(`${at}: only its name`)
  }
  const walk = (node: unknown, at: string, saysAbsence: boolean): void => {
    if (Array.isArray(node))
      for (const [place, item] of node.entries()) walk(item, `${at}/${place}`, saysAbsence)
    if (!isNode(node)) return
    if (isNode(node.properties))
      for (const [name, field] of Object.entries(node.properties)) {
        const required = ((node.required ?? []) as readonly string[]).includes(name)
        look(name, field as Node, `${at}/${name}`, saysAbsence && !required)
      }
    for (const [key, inner] of Object.entries(node))
      if (!['example', 'examples', 'default', 'required', 'x-codeSamples'].includes(key))
        walk(inner, key === 'properties' ? at : `${at}/${key}`, saysAbsence)
  }
  // In an update a field that is left out stays as it is: its operation says so once. Answers leave nothing out.
  const writes = new Set(['AgentConfig', 'CallingWindow', 'RetryConfig', 'NewRecipient', 'NewTranscript'])
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (!isSentence(schema.description)) gaps.push(`schema ${name}: no sentence`)
    walk(schema, `schema ${name}`, writes.has(name))
  }
  for (const { at, method, operation } of operationsOf(document)) {
    walk(operation.requestBody, `${at} request`, method === 'post')
    walk(operation.responses, `${at} answer`, false)
    for (const parameter of (operation.parameters ?? []) as readonly Node[])
      if (!('$ref' in parameter)) {
        const field = { ...(parameter.schema as Node), description: parameter.description }
        look(String(parameter.name), field, `${at} ?${parameter.name}`, parameter.required !== true)
      }
  }
  return gaps
}

const isNumber = (field: Node): boolean =>
  field.type === 'number' ||
  field.type === 'integer' ||
  ((field.anyOf ?? []) as readonly Node[]).some(({ type }) => type === 'number' || type === 'integer')

/** The targets of all links in the document, without duplicates; those to the service itself by their path. */
export const linksIn = (document: OpenApi): string[] => [
  ...new Set(
    [...JSON.stringify(document).matchAll(/\]\(([^)\s]+)\)|"externalDocs":\{[^}]*"url":"([^"]+)"/g)].map(
      ([, inText, outside]) => inText ?? outside?.replace(/^http:\/\/[^/]+/, '') ?? '',
    ),
  ),
]
