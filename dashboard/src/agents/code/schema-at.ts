// Walks through a JSON Schema as a document does: which schema applies at a path, and what may stand there.
import { isTree, type Tree } from '../../ui/forms/tree.ts'

export interface Place {
  readonly schema: Tree
  /** The document in which $refs are looked up. */
  readonly root: Tree
}

const listIn = (value: unknown): Tree[] => (Array.isArray(value) ? value.filter(isTree) : [])

function resolved({ schema, root }: Place): Tree {
  const { $ref: ref, ...beside } = schema
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return schema
  const target = ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (at, key) => (isTree(at) ? at[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      root,
    )
  return isTree(target) ? { ...resolved({ schema: target, root }), ...beside } : schema
}

/** The schema and its alternatives. */
export function alternatives(place: Place): Tree[] {
  const schema = resolved(place)
  const inner = [...listIn(schema.anyOf), ...listIn(schema.oneOf), ...listIn(schema.allOf)]
  return [schema, ...inner.flatMap((one) => alternatives({ ...place, schema: one }))]
}

/** Undefined: the schema does not say what stands there. */
export function schemaAt(place: Place, path: readonly (string | number)[]): Place | undefined {
  const [step, ...rest] = path
  if (step === undefined) return place
  for (const schema of alternatives(place)) {
    const properties = isTree(schema.properties) ? schema.properties : {}
    const next = typeof step === 'number' ? schema.items : (properties[step] ?? schema.additionalProperties)
    if (isTree(next)) return schemaAt({ ...place, schema: next }, rest)
  }
  return undefined
}

export interface Property {
  readonly name: string
  readonly description: string
}

export const propertiesAt = (place: Place): Property[] =>
  alternatives(place).flatMap((schema) =>
    Object.entries(isTree(schema.properties) ? schema.properties : {}).map(([name, inner]) => ({
      name,
      description: descriptionOf(isTree(inner) ? { ...place, schema: inner } : undefined),
    })),
  )

/** The values that a schema lists. */
export const valuesAt = (place: Place): unknown[] =>
  alternatives(place).flatMap((schema) => [
    ...(Array.isArray(schema.enum) ? schema.enum : []),
    ...('const' in schema ? [schema.const] : []),
    ...(schema.type === 'boolean' ? [true, false] : []),
  ])

export const descriptionOf = (place: Place | undefined): string =>
  place ? String(alternatives(place).find(({ description }) => description)?.description ?? '') : ''
