// Unsaved changes, kept by this browser until they are saved or thrown away: a session that ends, a tab that is closed or a
// computer that stops loses nothing. Secrets are not kept: anybody who uses this browser could read them.
import { type BrowserStore, forget, keep, kept } from '../ui/forms/browser-store.ts'
import { isTree, type Tree, valueAt, withValue } from '../ui/forms/tree.ts'

export interface KeptDraft {
  readonly values: Tree
  /** The version of the agent that was changed, by the time it was saved; empty: a new agent. */
  readonly basedOn: string
  readonly keptAt: string
}

export interface DraftPlace {
  readonly workspaceId: string
  /** 'new' for an agent that does not exist yet. */
  readonly agentId: string
}

const keyOf = ({ workspaceId, agentId }: DraftPlace) => `parley.draft.${workspaceId}.${agentId}`

// The fields that hold secrets. A masked secret, as the server shows it, has an ellipsis in it and is not one.
const secretPlaces = ['llm_agent.llm_config.api_key']
const isMask = (value: unknown) => typeof value === 'string' && value.includes('…')

export const keepDraft = (place: DraftPlace, draft: KeptDraft, store: BrowserStore = localStorage): void =>
  keep(keyOf(place), { ...draft, values: withoutSecrets(draft.values) }, store)

export function keptDraft(place: DraftPlace, store: BrowserStore = localStorage): KeptDraft | undefined {
  const stored = kept(keyOf(place), store)
  if (!stored || !isTree(stored.values)) return undefined
  return { values: stored.values, basedOn: String(stored.basedOn ?? ''), keptAt: String(stored.keptAt ?? '') }
}

export const forgetDraft = (place: DraftPlace, store: BrowserStore = localStorage): void =>
  forget(keyOf(place), store)

const withoutSecrets = (values: Tree): Tree =>
  secretPlaces.reduce((tree, path) => {
    const value = valueAt(tree, path)
    return value === undefined || isMask(value) ? tree : withValue(tree, path, undefined)
  }, values)
