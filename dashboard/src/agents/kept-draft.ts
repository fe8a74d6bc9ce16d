// Unsaved changes, kept by this browser until they are saved or thrown away: a session that ends, a tab that is closed or a
// computer that stops loses nothing. Secrets are not kept: anybody who uses this browser could read them.
import { isTree, type Tree, valueAt, withValue } from '../ui/tree.ts'

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

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const keyOf = ({ workspaceId, agentId }: DraftPlace) => `parley.draft.${workspaceId}.${agentId}`

// Where people write secrets; a mask, which begins with three letters and dots, is none.
const secretPlaces = ['llm_agent.llm_config.api_key']
const isMask = (value: unknown) => typeof value === 'string' && value.includes('…')

export function keepDraft(place: DraftPlace, draft: KeptDraft, store: Store = localStorage): void {
  try {
    store.setItem(keyOf(place), JSON.stringify({ ...draft, values: withoutSecrets(draft.values) }))
  } catch {
    // The browser keeps nothing, or has no room left: the page warns before it is left, as ever.
  }
}

export function keptDraft(place: DraftPlace, store: Store = localStorage): KeptDraft | undefined {
  try {
    const kept: unknown = JSON.parse(store.getItem(keyOf(place)) ?? 'null')
    if (!isTree(kept) || !isTree(kept.values)) return undefined
    return { values: kept.values, basedOn: String(kept.basedOn ?? ''), keptAt: String(kept.keptAt ?? '') }
  } catch {
    return undefined
  }
}

export function forgetDraft(place: DraftPlace, store: Store = localStorage): void {
  try {
    store.removeItem(keyOf(place))
  } catch {
    // As above.
  }
}

const withoutSecrets = (values: Tree): Tree =>
  secretPlaces.reduce((tree, path) => {
    const value = valueAt(tree, path)
    return value === undefined || isMask(value) ? tree : withValue(tree, path, undefined)
  }, values)
