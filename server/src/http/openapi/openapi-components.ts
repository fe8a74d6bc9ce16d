// The schemas of the OpenAPI document: zod's as JSON Schema, named ones collected as components.
import assert from 'node:assert/strict'
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

// 8-4-4-4-12 and the hyphens.
const uuidCharacters = 36

/** Details that OpenAPI tools expect and JSON Schema does not need. */
function tidy({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.type === 'integer') jsonSchema.format ??= 'int64'
  if (jsonSchema.format === 'uuid') jsonSchema.maxLength ??= uuidCharacters
  // The format says it; the expression would be a line of noise in every id and time.
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
