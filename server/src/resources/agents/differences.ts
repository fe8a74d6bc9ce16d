// In which fields two configurations differ. Pure.
import { isDeepStrictEqual } from 'node:util'

export interface Difference {
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed'
  readonly before?: unknown
  readonly after?: unknown
}

/** A configuration with its secrets, and as it may be shown. */
export interface Compared {
  readonly meant: unknown
  readonly shown: unknown
}

type Tree = Readonly<Record<string, unknown>>

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Field by field; `shown` has the shape of `meant`. */
export function differences(before: Compared, after: Compared, path = 'agent_config'): Difference[] {
  const [from, to] = [partsOf(before), partsOf(after)]
  if (!from || !to || from.isList !== to.isList) return unlike(before, after, path)
  const names = new Set([...to.parts.keys(), ...from.parts.keys()])
  return [...names].flatMap((name): Difference[] => {
    const [old, now] = [from.parts.get(name), to.parts.get(name)]
    const at = `${path}.${name}`
    if (!old) return [{ path: at, change: 'added', after: now?.shown }]
    if (!now) return [{ path: at, change: 'removed', before: old.shown }]
    return differences(old, now, at)
  })
}

const unlike = (before: Compared, after: Compared, path: string): Difference[] =>
  isDeepStrictEqual(before.meant, after.meant)
    ? []
    : [{ path, change: 'changed', before: before.shown, after: after.shown }]

/** The parts of an object, and of a list whose items have ids, by which they are told apart when one is inserted. */
function partsOf({ meant, shown }: Compared) {
  if (isTree(meant) && isTree(shown)) {
    const parts = Object.keys(meant).map(
      (name) => [name, { meant: meant[name], shown: shown[name] }] as const,
    )
    return { isList: false, parts: new Map<string, Compared>(parts) }
  }
  if (!Array.isArray(meant) || !Array.isArray(shown) || meant.length === 0) return undefined
  const parts = new Map<string, Compared>()
  for (const [at, item] of meant.entries()) {
    const id: unknown = isTree(item) ? item.id : undefined
    if (typeof id !== 'string' || parts.has(id)) return undefined
    parts.set(id, { meant: item, shown: shown[at] })
  }
  return { isList: true, parts }
}
