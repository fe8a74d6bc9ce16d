// Finds the key that was probably meant by one that the object does not have.
import { z } from 'zod'

// Keys of the interface are shorter; comparing longer ones would cost time for nothing.
const longestKey = 64

/** Returns undefined if no key is similar. `path` leads from the schema to the object. */
export function nearestKey(schema: z.ZodType, path: readonly PropertyKey[], key: string): string | undefined {
  if (key.length > longestKey) return undefined
  const wrong = simplified(key)
  const nearest = objectsAt(schema, path)
    .flatMap(({ shape }) => Object.keys(shape))
    .map((known) => ({ known, edits: editsBetween(wrong, simplified(known)) }))
    .reduce((best, one) => (one.edits < best.edits ? one : best), {
      known: '',
      edits: Number.POSITIVE_INFINITY,
    })
  return nearest.edits <= mostEdits(wrong) ? nearest.known : undefined
}

/** One typo in a short key, two or three in a long one. */
const mostEdits = (key: string): number => Math.max(1, Math.floor(key.length / 4))

/** bufferSize and buffer-size mean buffer_size. */
const simplified = (key: string): string => key.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

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

/** How many characters have to be inserted, removed, replaced or swapped with their neighbour. */
function editsBetween(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const edits = [row]
    for (let at = 1; at <= other.length; at++) {
      const same = one[row - 1] === other[at - 1]
      const swapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      edits[at] = Math.min(
        (last[at] as number) + 1,
        (edits[at - 1] as number) + 1,
        (last[at - 1] as number) + (same ? 0 : 1),
        swapped ? (beforeLast[at - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = edits
  }
  return last[other.length] as number
}
