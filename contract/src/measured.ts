// Makes zod measure texts and lists only. By itself it compares the `length` of every value that has one before it looks at the
// type: an object {"length": 9} would be "too long" as well as no text, and {"length": {"toString": null}} cannot be compared and
// throws.
import type { z } from 'zod'

const ofLength: readonly string[] = ['min_length', 'max_length', 'length_equals']

const isMeasured = ({ value }: { value: unknown }) => typeof value === 'string' || Array.isArray(value)

/** Returns the schema. From now on it, and every schema inside it, measures texts and lists only. */
export function measured<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  guard(schema, new Set())
  return schema
}

function guard(schema: z.core.$ZodType, seen: Set<z.core.$ZodType>): void {
  if (seen.has(schema)) return
  seen.add(schema)
  const { def } = schema._zod
  for (const check of def.checks ?? []) {
    if (ofLength.includes(check._zod.def.check)) check._zod.def.when = isMeasured
  }
  for (const part of [...Object.values(def), lazily(schema)].flatMap(schemasIn)) guard(part, seen)
}

const lazily = ({ _zod }: z.core.$ZodType): unknown => 'innerType' in _zod && _zod.innerType

/** All schemas in a definition's field: a schema itself, those of a list, or those of the fields of an object. */
const schemasIn = (part: unknown): z.core.$ZodType[] => {
  if (isSchema(part)) return [part]
  return typeof part === 'object' && part !== null ? Object.values(part).filter(isSchema) : []
}

const isSchema = (value: unknown): value is z.core.$ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value && 'def' in value && 'parse' in value
