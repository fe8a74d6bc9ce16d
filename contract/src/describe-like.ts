// Gives the fields of one shape the descriptions of another, so that a sentence is written once for all shapes that have the
// field.
import { z } from 'zod'

type Shape = Readonly<Record<string, z.ZodType>>

/** The shape with descriptions. Only fields without one of their own get it, also inside objects. */
export function describeLike(shape: Shape, described: Shape): void {
  for (const [name, field] of Object.entries(shape)) {
    const like = described[name]
    if (!like) continue
    const [inner, likeInner] = [objectIn(field), objectIn(like)]
    if (inner && likeInner) describeLike(inner.shape as Shape, likeInner.shape as Shape)
    const description = descriptionOf(like)
    if (description !== undefined && field.description === undefined)
      field.register(z.globalRegistry, { ...z.globalRegistry.get(field), description })
  }
}

type Wrapper = z.ZodOptional<z.ZodType> | z.ZodNullable<z.ZodType>

const isWrapper = (schema: z.ZodType): schema is Wrapper =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault

function objectIn(schema: z.ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema
  return isWrapper(schema) ? objectIn(schema.unwrap()) : undefined
}

/** The description of a schema: its own, or that of the schema that it wraps. */
const descriptionOf = (schema: z.ZodType): string | undefined =>
  schema.description ?? (isWrapper(schema) ? descriptionOf(schema.unwrap()) : undefined)
