// The values of a form as a tree of JSON objects, which is read and written by path, and the difference between two trees.
import type { MergeRules } from '@parley/contract/agent-merge'

export type Tree = { readonly [key: string]: unknown }

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a path, which is written as in faults of the server: llm_agent.llm_config.model */
export const valueAt = (tree: Tree, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (isTree(inner) ? inner[key] : undefined), tree)

/** The tree with another value at a path. Undefined removes the key. */
export function withValue(tree: Tree, path: string, value: unknown): Tree {
  const [key = '', ...rest] = path.split('.')
  if (rest.length > 0) {
    const inner = tree[key]
    return { ...tree, [key]: withValue(isTree(inner) ? inner : {}, rest.join('.'), value) }
  }
  const { [key]: _former, ...others } = tree
  return value === undefined ? others : { ...tree, [key]: value }
}

export interface Difference {
  readonly changes: Tree
  /** The paths of values that were removed, which an update cannot express. */
  readonly removed: string[]
}

/** The changes between two trees. `merging` says which objects an update merges key by key; the others are sent whole. */
export function changesBetween(before: Tree, after: Tree, merging: MergeRules | true, path = ''): Difference {
  const changes: Record<string, unknown> = {}
  const removed: string[] = []
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is, at] = [before[key], after[key], path + key]
    const deeper = merging === true ? undefined : merging[key]
    // A field that was edited and emptied again is not a change.
    if (same(was, is) || (was === undefined && is === '')) continue
    if (is === undefined) removed.push(at)
    else if (deeper && isTree(was) && isTree(is)) {
      const inner = changesBetween(was, is, deeper, `${at}.`)
      removed.push(...inner.removed)
      if (Object.keys(inner.changes).length > 0) changes[key] = inner.changes
    } else changes[key] = is
  }
  return { changes, removed }
}

export const isChanged = ({ changes, removed }: Difference): boolean =>
  removed.length > 0 || Object.keys(changes).length > 0

/** Whether two values are equal as JSON, whatever the order of their keys. */
function same(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => same(item, other[index]))
  }
  if (!isTree(one) || !isTree(other)) return one === other
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => same(one[key], other[key]))
}
