// Corrections that are not saved yet, kept by this browser: a connection that is away or a tab that is closed loses nothing.
import { type Draft, type Edits, noEdits } from './edits.ts'

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface KeptPlace {
  /** Whose they are: somebody else at this computer does not save them in their own name. */
  readonly userId: string
  readonly transcriptId: string
}

const keyOf = ({ userId, transcriptId }: KeptPlace) => `parley.corrections.${userId}.${transcriptId}`

/** Undefined: everything is saved. */
export function keepEdits(place: KeptPlace, draft: Draft | undefined, store: Store = localStorage): void {
  try {
    if (draft) store.setItem(keyOf(place), JSON.stringify(draft))
    else store.removeItem(keyOf(place))
  } catch {
    // The browser keeps nothing, or has no room left: they are still on the page.
  }
}

export function keptEdits(place: KeptPlace, store: Store = localStorage): Draft | undefined {
  const kept = parsed(keyOf(place), store)
  const [base, mine] = [editsIn(kept?.base), editsIn(kept?.mine)]
  return base && mine && { base, mine }
}

// Corrections were once kept by browsers only, under this name.
const formerKeyOf = (transcriptId: string) => `parley-transcript-${transcriptId}`

/** Corrections that only this browser has, whoever made them. */
export const formerEdits = (transcriptId: string, store: Store = localStorage): Edits | undefined =>
  editsIn(parsed(formerKeyOf(transcriptId), store))

export function forgetFormerEdits(transcriptId: string, store: Store = localStorage): void {
  try {
    store.removeItem(formerKeyOf(transcriptId))
  } catch {
    // As above.
  }
}

type Tree = Readonly<Record<string, unknown>>

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

function parsed(key: string, store: Store): Tree | undefined {
  try {
    const value: unknown = JSON.parse(store.getItem(key) ?? 'null')
    return isTree(value) ? value : undefined
  } catch {
    return undefined
  }
}

const textsIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isTree(value) ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )

const editsIn = (value: unknown): Edits | undefined =>
  isTree(value) ? { ...noEdits, names: textsIn(value.names), texts: textsIn(value.texts) } : undefined
