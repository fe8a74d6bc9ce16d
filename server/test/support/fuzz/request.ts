// Requests to the operations of an OpenAPI document: any that matches it.
import type { OutgoingHttpHeaders } from 'node:http'
import fc from 'fast-check'
import { fittingIn, type Json, type Schema } from '../arbitrary.ts'

export interface FuzzedRequest {
  params: Record<string, Json>
  /** Replaces every path parameter, not encoded. */
  rawParam?: string
  query: [name: string, value: string][]
  /** An array is sent as the same header several times. */
  headers: OutgoingHttpHeaders
  body?: string | Uint8Array
}

export interface Credentials {
  readonly boundKey: string
  readonly unboundKey: string
  readonly workspaceId: string
}

export interface DocumentedOperation {
  readonly id: string
  readonly method: string
  /** With the path that its interface is mounted under. */
  readonly path: string
  readonly hasParams: boolean
  /** Its own statuses and the refusals, as listed. */
  readonly statuses: readonly number[]
  /** Which header carries the key. */
  readonly keyHeader: string
  /** Requests that match the document. */
  readonly whole: (credentials: Credentials) => fc.Arbitrary<FuzzedRequest>
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Schema
}

interface Content {
  readonly [type: string]: { readonly schema: Schema }
}

interface OpenApi {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: {
    readonly schemas: Record<string, Schema>
    readonly securitySchemes: { readonly ApiKey: { readonly name: string } }
  }
}

interface OperationObject {
  readonly operationId: string
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, unknown>>
}

export const operationsIn = (document: unknown): DocumentedOperation[] => {
  const { servers, paths, components } = document as OpenApi
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path: `${servers[0]?.url}${path}`,
      hasParams: path.includes('{'),
      statuses: Object.keys(operation.responses).map(Number),
      keyHeader: components.securitySchemes.ApiKey.name.toLowerCase(),
      whole: wholeRequests(operation, components),
    })),
  )
}

function wholeRequests(
  { parameters, requestBody }: OperationObject,
  { schemas, securitySchemes }: OpenApi['components'],
): DocumentedOperation['whole'] {
  const partOf = (place: Parameter['in']) => {
    const own = parameters.filter((each): each is Parameter => 'in' in each && each.in === place)
    const required = own.filter((each) => each.required).map(({ name }) => name)
    const properties = Object.fromEntries(own.map(({ name, schema }) => [name, schema]))
    return fittingIn({ type: 'object', properties, required, additionalProperties: false }, schemas)
  }
  const body = bodiesOf(requestBody?.content, schemas)
  const keyHeader = securitySchemes.ApiKey.name.toLowerCase()
  return ({ boundKey }) =>
    fc.tuple(partOf('path'), partOf('query'), body).map(([params, query, sent]) => ({
      params: params as Record<string, Json>,
      query: Object.entries(query as Record<string, Json>).map(([name, value]) => [name, String(value)]),
      headers: { [keyHeader]: boundKey, ...(sent && { 'content-type': sent.type }) },
      ...(sent && { body: sent.body }),
    }))
}

type Body = { readonly type: string; readonly body: string | Uint8Array } | undefined

/** JSON where the operation takes it, else raw bytes. */
function bodiesOf(content: Content | undefined, schemas: Record<string, Schema>): fc.Arbitrary<Body> {
  const json = content?.['application/json']
  if (json)
    return fittingIn(json.schema, schemas).map((value) => ({
      type: 'application/json',
      body: JSON.stringify(value),
    }))
  if (content?.['application/octet-stream'])
    return fc.uint8Array({ maxLength: 400 }).map((body) => ({ type: 'application/octet-stream', body }))
  return fc.constant(undefined)
}
