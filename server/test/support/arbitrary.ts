// Generates values that match a schema of the contract or of the OpenAPI document, from its JSON Schema. Supports the
// JSON Schema keywords that the contract uses, and throws on an unknown type.
import fc from 'fast-check'
import { z } from 'zod'

export interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  format?: string
  pattern?: string
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

// The size is large enough to be interesting and small enough to send thousands.
const fewCharacters = 12
const fewItems = 3
const depth = 2

/** Any Unicode except NUL, which PostgreSQL cannot store. */
const text = (minLength = 0, maxLength = fewCharacters) =>
  fc
    .string({ unit: 'binary', minLength, maxLength: Math.max(minLength, Math.min(maxLength, fewCharacters)) })
    .filter((made) => !made.includes('\0'))

/** Keys used elsewhere, names on Object.prototype, and keys that look like paths or indices. */
const notableKeys = [
  ...['voice', 'model', 'temperature', 'llm_config', 'routes', 'provider_config', 'hangup_after_silence'],
  ...['constructor', 'toString', 'hasOwnProperty', 'valueOf', '', '0', 'a.b', 'length', '🦊'],
]

const ownKey = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...notableKeys) },
  text().filter((key) => key !== '__proto__'),
)

const number = fc.double({ noNaN: true, noDefaultInfinity: true })

/** Any JSON at all. */
export const anything: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: depth, withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    number,
    text(),
    fc.array(tie('value'), { maxLength: fewItems }),
    fc.dictionary(ownKey, tie('value'), { maxKeys: fewItems, noNullPrototype: true }),
  ),
})).value

/** Values that the schema accepts as input. */
export function fitting(schema: z.ZodType): fc.Arbitrary<Json> {
  const root = z.toJSONSchema(schema, { io: 'input' }) as Schema
  return valuesOf(root, root.$defs ?? {}) as fc.Arbitrary<Json>
}

/** Values that a schema of an OpenAPI document accepts. */
export const fittingIn = (schema: Schema, components: Record<string, Schema>): fc.Arbitrary<Json> =>
  valuesOf(schema, components) as fc.Arbitrary<Json>

function valuesOf(schema: Schema, defs: Record<string, Schema>): fc.Arbitrary<unknown> {
  if (schema.$ref) return valuesOf(defs[schema.$ref.replace(/^.*\//, '')] ?? {}, defs)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = Array.isArray(schema.type) ? schema.type : undefined
  const choices = schema.anyOf ?? schema.oneOf ?? types?.map((type) => ({ ...schema, type }))
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, defs)))
  switch (schema.type) {
    case undefined:
      return anything
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? -(2 ** 31), -(2 ** 31)),
        max: Math.min(schema.maximum ?? 2 ** 31 - 1, 2 ** 31 - 1),
      })
    case 'number':
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        min: schema.minimum ?? schema.exclusiveMinimum ?? -Number.MAX_VALUE,
        max: schema.maximum ?? Number.MAX_VALUE,
        minExcluded: schema.exclusiveMinimum !== undefined,
      })
    case 'string':
      return stringOf(schema)
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, defs), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? fewItems, Math.max(fewItems, schema.minItems ?? 0)),
      })
    case 'object':
      return objectOf(schema, defs)
    default:
      throw new Error(`no values are known for ${JSON.stringify(schema)}`)
  }
}

/** The pattern of free text: no NUL, which `text` never generates. */
const freeText = '^[^\\x00]*$'

function stringOf({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'uri') return fc.webUrl({ withQueryParameters: true, size: 'small' })
  if (format === 'date-time') {
    return fc
      .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString())
  }
  if (pattern !== undefined && pattern !== freeText) return fc.stringMatching(new RegExp(pattern, 'u'))
  return text(minLength, maxLength)
}

function objectOf(schema: Schema, defs: Record<string, Schema>): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties = {} } = schema
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, valuesOf(inner, defs)])),
    { requiredKeys: required, noNullPrototype: true },
  )
  if (additionalProperties === false) return known
  const others = fc.dictionary(
    ownKey.filter((key) => !Object.hasOwn(properties, key)),
    additionalProperties === true ? anything : valuesOf(additionalProperties, defs),
    { maxKeys: fewItems, noNullPrototype: true },
  )
  return fc.tuple(others, known).map(([open, named]) => ({ ...open, ...named }))
}
