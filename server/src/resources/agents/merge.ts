// Applies an update to a configuration: some objects merge key by key, everything else is replaced.
import { type AgentPatch, type Merging, mergingObjects } from '@parley/contract'
import type { AgentConfigJson } from './store.ts'

export const mergeConfig = (config: AgentConfigJson, patch: Omit<AgentPatch, 'status'>): AgentConfigJson =>
  merge(config, patch, mergingObjects) as AgentConfigJson

function merge(before: object, change: object, tree: Merging | true): object {
  const merged: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(change)) {
    const inner = tree !== true && Object.hasOwn(tree, key) ? tree[key] : undefined
    const held = merged[key]
    merged[key] = inner && isObject(held) && isObject(value) ? merge(held, value, inner) : value
  }
  return merged
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
