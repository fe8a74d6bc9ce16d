// Finds the key that was probably meant by one that the object does not have.
import { z } from 'zod'
import { nearestName } from '../../platform/nearest-name.ts'

/** Returns undefined if no key is similar. `path` leads from the schema to the object. */
export const nearestKey = (
  schema: z.ZodType,
  path: readonly PropertyKey[],
  key: string,
): string | undefined =>
  nearestName(
    objectsAt(schema, path).flatMap(({ shape }) => Object.keys(shape)),
    key,
  )

/** The objects that may stand at the path; several if a union leads there. */
function objectsAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodObject[] {
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => objectsAt(option as z.ZodType, path))
  if (schema instanceof z.ZodPipe) return objectsAt(schema.def.out as z.ZodType, path)
  if ('innerType' in schema.def) return objectsAt(schema.def.innerType as z.ZodType, path)
  const [key, ...rest] = path
  if (key === undefined) return schema instanceof z.ZodObject ? [schema] : []
  const inner = innerOf(schema, key)
  return inner ? objectsAt(inner, rest) : []
}

function innerOf(schema: z.ZodType, key: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)] as z.ZodType | undefined
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType
  return schema instanceof z.ZodRecord ? (schema.valueType as z.ZodType) : undefined
}
