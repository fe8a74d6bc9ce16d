// The OpenAPI 3.1 document, generated from the schemas that validate requests.

import { ErrorBody, errors, type Fault, type Operation } from '@parley/contract'
import type { z } from 'zod'
import { Components, mediaTypesOf, requestContentOf } from './openapi-content.ts'
import { curlSample, sampleOrigin } from './openapi-curl.ts'
import type { Face, Json, RefusalStatus } from './openapi-face.ts'
import { typescriptSample } from './openapi-typescript.ts'

const header = (description: string, schema: Json) => ({ description, schema })

const responseHeaders = {
  'X-Request-Id': header('Names this request in the log.', {
    type: 'string',
    maxLength: 128,
    pattern: '^[A-Za-z0-9._-]+$',
  }),
}

const rateLimitHeaders = {
  'RateLimit-Policy': header('The quota (q) and its window in seconds (w).', {
    type: 'string',
    maxLength: 100,
    pattern: '^"default";q=\\d+;w=\\d+$',
  }),
  RateLimit: header('Requests remaining (r) and seconds until the window ends (t).', {
    type: 'string',
    maxLength: 100,
    pattern: '^"default";r=\\d+;t=\\d+$',
  }),
}

const retryAfter = header('Seconds to wait before the next request.', {
  type: 'integer',
  format: 'int32',
  minimum: 1,
  maximum: 60,
})

const replayed = header('Present and true when this is the stored answer of an earlier request.', {
  type: 'string',
  enum: ['true'],
})

const meanings: Record<RefusalStatus, string> = {
  400: 'Invalid input',
  401: 'Missing, invalid or inactive API key, or a Bearer scheme',
  403: 'No access to the workspace, or a conflict with the binding of the key',
  404: 'Not found',
  411: 'Missing workspace scope',
  429: 'Rate limit exceeded',
  500: 'Server error',
}

export function openApiDocument(operations: readonly Operation[], face: Face): Json {
  const components = new Components()
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    paths[operation.path] ??= {}
    ;(paths[operation.path] as Json)[operation.method.toLowerCase()] = describe(operation, face, components)
  }
  const errorSchema = components.use(ErrorBody, 'output')
  const document = {
    openapi: '3.1.0',
    info: {
      ...face.info,
      version: '1.0.0',
      contact: { name: 'Parley', url: 'https://parley.example/' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: face.prefix, description: 'This deployment, local or production.', 'x-internal': false },
    ],
    security: [{ ApiKey: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => tagOf(name, face)),
    paths,
    components: {
      securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', ...face.key } },
      parameters: face.parameters,
      responses: Object.fromEntries(
        face.refusals.map((status) => [`Refused${status}`, refusalResponse(status, errorSchema)]),
      ),
      schemas: components.schemas,
    },
  }
  return linkOperations(document, operations)
}

function tagOf(name: string, { tags }: Face): Json {
  const { description, guide } = tags[name] ?? {}
  return {
    name,
    description,
    externalDocs: { description: 'The guide to this', url: `${sampleOrigin}/docs/guide/${guide}` },
  }
}

function describe(operation: Operation, face: Face, components: Components): Json {
  const { id, tag, summary, description, method, params, query, status, example } = operation
  const replays = method === 'POST' && face.replays
  const content = requestContentOf(operation, components)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    parameters: [
      ...face.parametersOf(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      ...parametersOf('path', params, example?.params, components),
      ...parametersOf('query', query, example?.query, components),
    ],
    ...(content && { requestBody: { required: true, content } }),
    'x-codeSamples': [
      { lang: 'Shell', label: 'curl', source: curlSample(operation, face) },
      { lang: 'TypeScript', label: 'TypeScript', source: typescriptSample(operation, face) },
    ],
    responses: {
      [status]: {
        description: 'Success',
        headers: {
          ...responseHeaders,
          ...rateLimitHeaders,
          ...(replays && { 'Idempotent-Replayed': replayed }),
        },
        content: mediaTypesOf(operation, components),
      },
      ...Object.fromEntries(
        face.refusals.map((code) => [code, { $ref: `#/components/responses/Refused${code}` }]),
      ),
    },
  }
}

const exampleFault: Fault = {
  path: 'agent_config.agent_name',
  message: 'Too small: expected string to have >=1 characters',
}

function refusalResponse(status: RefusalStatus, schema: Json): Json {
  const code = Object.entries(errors).find(([, [at]]) => at === status)
  return {
    description: `${meanings[status]}. [Every code](/docs/errors) with its cause and what to do.`,
    headers: {
      ...responseHeaders,
      ...(status !== 401 && status !== 403 && status !== 411 && rateLimitHeaders),
      ...(status === 429 && { 'Retry-After': retryAfter }),
    },
    content: {
      'application/json': {
        schema,
        ...(code && {
          example: {
            status: 'error',
            code: code[0],
            message: code[1][1],
            details: code[0] === 'VALIDATION_ERROR' ? [exampleFault] : [],
            request_id: '0198b1f2-7c1e-7b5a-9c11-3f5e0d7a2b60',
          },
        }),
      },
    },
  }
}

function parametersOf(
  place: 'path' | 'query',
  part: z.ZodObject | undefined,
  example: Readonly<Record<string, unknown>> = {},
  components: Components,
): Json[] {
  return Object.entries(part?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = components.use(field as z.ZodType, 'output')
    return {
      name,
      in: place,
      required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success,
      description,
      schema,
      ...(name in example && { example: example[name] }),
    }
  })
}

// Names of operations in the descriptions of a document become links to their place in the reference.

// These keys hold values of users, not texts of ours.
const values = ['example', 'examples', 'default', 'const', 'enum', 'x-codeSamples']

/** `createAgent` in backticks → [`createAgent`](#operation/createAgent), the anchor that Redoc gives an operation. */
function linkOperations(document: Json, operations: readonly Operation[]): Json {
  const ids = new Set(operations.map(({ id }) => id))
  const linked = (text: string) =>
    text.replace(/(?<!\[)`(\w+)`/g, (written, id: string) =>
      ids.has(id) ? `[${written}](#operation/${id})` : written,
    )
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (values.includes(key)) return [key, inner]
        return [key, key === 'description' && typeof inner === 'string' ? linked(inner) : walk(inner)]
      }),
    )
  }
  return walk(document) as Json
}
