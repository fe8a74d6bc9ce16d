// zod compares the `length` of every value that has one, before it looks at whether it is a text or a list: an object
// {"length": 9} would be "too long" as well as no text, and {"length": {"toString": null}} cannot be compared and throws.
import type { z } from 'zod'

const ofLength: readonly string[] = ['min_length', 'max_length', 'length_equals']

const isMeasured = ({ value }: { value: unknown }) => typeof value === 'string' || Array.isArray(value)

/** The schema. It, and all that it consists of, measures texts and lists only from now on. */
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

/** A schema itself, those of a list, or those of the fields of an object. */
const schemasIn = (part: unknown): z.core.$ZodType[] => {
  if (isSchema(part)) return [part]
  return typeof part === 'object' && part !== null ? Object.values(part).filter(isSchema) : []
}

const isSchema = (value: unknown): value is z.core.$ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value && 'def' in value && 'parse' in value
