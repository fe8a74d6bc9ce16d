// The OpenAPI 3.1 document, made from the same schemas that validate.
import assert from 'node:assert/strict'
import { ErrorBody, errors, type Fault, type Operation } from '@parley/contract'
import { z } from 'zod'

type Json = Record<string, unknown>

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

/** Statuses that every operation may answer with, in the specification's order. */
const refusals = [400, 401, 403, 404, 411, 429, 500] as const

const meanings: Record<(typeof refusals)[number], string> = {
  400: 'Invalid input',
  401: 'Missing, invalid or inactive API key, or a Bearer scheme',
  403: 'No access to the workspace, or a conflict with the binding of the key',
  404: 'Not found',
  411: 'Missing workspace scope',
  429: 'Rate limit exceeded',
  500: 'Server error',
}

export function openApiDocument(operations: readonly Operation[]): Json {
  const components = new Components()
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    paths[operation.path] ??= {}
    ;(paths[operation.path] as Json)[operation.method.toLowerCase()] = describe(operation, components)
  }
  const errorSchema = components.use(ErrorBody, 'output')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley Voice AI',
      version: '1.0.0',
      summary: 'Voice agents on your own machines.',
      description:
        'Every request carries an API key. A key bound to a workspace brings its scope along; an unbound key names a workspace in X-Workspace-Id. Every POST carries an Idempotency-Key; a repeated one within 24 hours gets the first answer again.',
      contact: { name: 'Parley', url: 'https://parley.example/' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: '/agent/v1', description: 'This deployment, local or production.', 'x-internal': false },
    ],
    security: [{ ApiKey: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({
      name,
      description: `Operations on ${name.toLowerCase()}.`,
    })),
    paths,
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description:
            'Also accepted: svc-api-key, x-svc-api-key, and a raw Authorization header. Never Bearer.',
        },
      },
      parameters: {
        WorkspaceId: {
          name: 'X-Workspace-Id',
          in: 'header',
          required: false,
          description: 'The workspace; required for a key that is not bound to one.',
          schema: { type: 'string', format: 'uuid', maxLength: 36 },
        },
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: true,
          description: 'Unique per logical operation; reuse it only to retry.',
          schema: { type: 'string', minLength: 1, maxLength: 1024, pattern: '\\S' },
        },
        LastEventId: {
          name: 'Last-Event-ID',
          in: 'header',
          required: false,
          description: 'The id of the last event that was seen: only those after it are told.',
          schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 },
        },
      },
      responses: Object.fromEntries(
        refusals.map((status) => [`Refused${status}`, refusalResponse(status, errorSchema)]),
      ),
      schemas: components.schemas,
    },
  }
}

function describe(operation: Operation, components: Components): Json {
  const { id, tag, summary, method, params, query, body, form, status, answers, example } = operation
  const post = method === 'POST'
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${summary}.`,
    parameters: [
      { $ref: '#/components/parameters/WorkspaceId' },
      ...(post ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(answers === 'event-stream' ? [{ $ref: '#/components/parameters/LastEventId' }] : []),
      ...parametersOf('path', params, components),
      ...parametersOf('query', query, components),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: components.use(body, 'input'),
            ...(example?.body !== undefined && { example: example.body }),
          },
          ...(form && { 'multipart/form-data': { schema: components.use(form, 'input') } }),
        },
      },
    }),
    responses: {
      [status]: {
        description: 'Success',
        headers: {
          ...responseHeaders,
          ...rateLimitHeaders,
          ...(post && { 'Idempotent-Replayed': replayed }),
        },
        content: contentOf(operation, components),
      },
      ...Object.fromEntries(
        refusals.map((code) => [code, { $ref: `#/components/responses/Refused${code}` }]),
      ),
    },
  }
}

function contentOf({ answers, data, example }: Operation, components: Components): Json {
  const schema = components.use(data, 'output')
  if (answers === 'event-stream') return { 'text/event-stream': { schema, example: example?.data } }
  if (answers === 'csv') return { 'text/csv': { schema, example: example?.data } }
  if (answers === 'bare') return { 'application/json': { schema, example: example?.data } }
  return {
    'application/json': {
      schema: {
        type: 'object',
        properties: { status: { type: 'string', const: 'success' }, data: schema },
        required: ['status', 'data'],
        additionalProperties: false,
      },
      ...(example?.data !== undefined && { example: { status: 'success', data: example.data } }),
    },
  }
}

const exampleFault: Fault = {
  path: 'agent_config.agent_name',
  message: 'Too small: expected string to have >=1 characters',
}

function refusalResponse(status: (typeof refusals)[number], schema: Json): Json {
  const code = Object.entries(errors).find(([, [at]]) => at === status)
  return {
    description: meanings[status],
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
  components: Components,
): Json[] {
  return Object.entries(part?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = components.use(field as z.ZodType, 'output')
    return {
      name,
      in: place,
      required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema,
    }
  })
}

/** Turns schemas into JSON Schema and gathers the named ones. */
class Components {
  readonly schemas: Record<string, Json> = {}

  use(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io, override: tidy })
    for (const [name, definition] of Object.entries($defs)) {
      const named = relink(definition) as Json
      // A default makes what is written differ from what is read: two shapes need two names.
      if (this.schemas[name]) assert.deepEqual(named, this.schemas[name], `two shapes are named ${name}`)
      this.schemas[name] = named
    }
    return relink(own) as Json
  }
}

// 8-4-4-4-12 and the hyphens.
const uuidCharacters = 36

/** Small things that readers of the document expect and JSON Schema does not need. */
function tidy({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.type === 'integer') jsonSchema.format ??= 'int64'
  if (jsonSchema.format === 'uuid') jsonSchema.maxLength ??= uuidCharacters
}

/** zod puts named schemas under $defs; OpenAPI keeps them under components. */
function relink(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relink)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : relink(inner),
    ]),
  )
}
