// Applies an update to a configuration: some objects merge key by key, everything else is replaced.
import { type AgentPatch, type MergeRules, mergingObjects } from '@parley/contract'
import type { Config } from './store.ts'

export const mergeConfig = (config: Config, patch: Omit<AgentPatch, 'status'>): Config =>
  merge(config, patch, mergingObjects) as Config

function merge(before: object, change: object, tree: MergeRules | true): object {
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
