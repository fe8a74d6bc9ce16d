// Names of operations in the descriptions of a document become links to their place in the reference.
import type { Operation } from '@parley/contract'
import type { Json } from './openapi-face.ts'

// Values of users, not texts of ours.
const values = ['example', 'examples', 'default', 'const', 'enum', 'x-codeSamples']

/** `createAgent` in backticks → [`createAgent`](#operation/createAgent), the anchor that Redoc gives an operation. */
export function linkOperations(document: Json, operations: readonly Operation[]): Json {
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
