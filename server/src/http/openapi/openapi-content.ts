// The bodies of requests and answers in the OpenAPI document, with their examples.

import assert from 'node:assert/strict'
import { type Operation, Text } from '@parley/contract'
import { z } from 'zod'
import type { Json } from './openapi-face.ts'

export class Components {
  readonly schemas: Record<string, Json> = {}

  use(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io, override: tidy })
    for (const [name, definition] of Object.entries($defs)) {
      const named = relink(definition) as Json
      // A default makes the input shape differ from the output shape: two shapes need two names.
      if (this.schemas[name]) assert.deepEqual(named, this.schemas[name], `two shapes are named ${name}`)
      this.schemas[name] = named
    }
    return relink(own) as Json
  }

  /** The form fields that stand for the fields of this body. */
  fieldsOf(body: z.ZodObject): Record<string, Json> {
    return Object.fromEntries(
      Object.entries(body.shape).map(([name, field]) => [name, this.use(field as z.ZodType, 'input')]),
    )
  }
}

// The characters of a UUID: 8-4-4-4-12 and the hyphens.
const uuidCharacters = 36

/** Details that OpenAPI tools expect and JSON Schema does not need. */
function tidy({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.type === 'integer') jsonSchema.format ??= 'int64'
  if (jsonSchema.format === 'uuid') jsonSchema.maxLength ??= uuidCharacters
  // The format says enough; the expression would be a line of noise in every id and time.
  if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date-time') delete jsonSchema.pattern
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

// The upper bound of PARLEY_UPLOAD_MAX_MB; each deployment sets its own.
const uploadBytes = 1_000_000 * 1024 ** 2

export function requestContentOf(
  { body, form, file: takes, example }: Operation,
  components: Components,
): Json | undefined {
  const json = body && { schema: components.use(body, 'input'), example: example?.body }
  const file = {
    type: 'string',
    format: 'binary',
    maxLength: uploadBytes,
    description: 'The recording: audio or video, as many bytes as the operator allows (2 GB by default).',
  }
  const fields = body instanceof z.ZodObject ? components.fieldsOf(body) : {}
  const withFile = {
    schema: {
      type: 'object',
      properties: { file, ...fields },
      required: ['file'],
      additionalProperties: false,
    },
    ...formExample(example?.form),
  }
  if (takes === 'required')
    return { 'multipart/form-data': withFile, 'application/octet-stream': { schema: file } }
  const asForm = form
    ? { schema: components.use(form, 'input'), ...formExample(example?.form) }
    : takes === 'allowed' && withFile
  return json && { 'application/json': json, ...(asForm && { 'multipart/form-data': asForm }) }
}

/** The file itself is named, not shown. */
const formExample = (fields: Readonly<Record<string, unknown>> | undefined): Json =>
  fields ? { example: { file: '(binary)', ...fields } } : {}

export function mediaTypesOf({ answers, data, example }: Operation, components: Components): Json {
  const schema = components.use(data, 'output')
  if (answers === 'event-stream') return { 'text/event-stream': { schema, example: example?.data } }
  if (answers === 'csv') return { 'text/csv': { schema, example: example?.data } }
  if (answers === 'bare') return { 'application/json': { schema, example: example?.data } }
  return {
    ...(answers === 'json-or-text' && textsOf(example?.texts, components)),
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          status: { type: 'string', const: 'success', description: 'Tells a success from a refusal.' },
          data: { description: 'The result.', ...schema },
        },
        required: ['status', 'data'],
        additionalProperties: false,
      },
      example: { status: 'success', data: example?.data },
    },
  }
}

const textsOf = (texts: Readonly<Record<string, string>> = {}, components: Components): Json =>
  Object.fromEntries(
    Object.entries(texts).map(([type, text]) => [
      type,
      { schema: components.use(Text, 'output'), example: text },
    ]),
  )
