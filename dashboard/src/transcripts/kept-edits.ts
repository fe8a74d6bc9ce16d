// Corrections that are not saved yet. This browser keeps them, so that a lost connection or a closed tab loses nothing.
import { type BrowserStore, forget, keep, kept } from '../ui/forms/browser-store.ts'
import { isTree } from '../ui/forms/tree.ts'
import { type Draft, type Edits, noEdits } from './edits.ts'

export interface KeptPlace {
  /** The user who made them: somebody else at this computer must not save them under another name. */
  readonly userId: string
  readonly transcriptId: string
}

const keyOf = ({ userId, transcriptId }: KeptPlace) => `parley.corrections.${userId}.${transcriptId}`

/** Keeps a draft. Undefined: everything is saved, and nothing is kept. */
export function keepEdits(
  place: KeptPlace,
  draft: Draft | undefined,
  store: BrowserStore = localStorage,
): void {
  if (draft) keep(keyOf(place), draft, store)
  else forget(keyOf(place), store)
}

export function keptEdits(place: KeptPlace, store: BrowserStore = localStorage): Draft | undefined {
  const stored = kept(keyOf(place), store)
  const [base, mine] = [editsIn(stored?.base), editsIn(stored?.mine)]
  return base && mine && { base, mine }
}

// The key under which browsers kept corrections in releases whose servers did not store them.
const formerKeyOf = (transcriptId: string) => `parley-transcript-${transcriptId}`

/** Corrections of any user that only this browser has, from such a release. */
export const formerEdits = (transcriptId: string, store: BrowserStore = localStorage): Edits | undefined =>
  editsIn(kept(formerKeyOf(transcriptId), store))

export const forgetFormerEdits = (transcriptId: string, store: BrowserStore = localStorage): void =>
  forget(formerKeyOf(transcriptId), store)

const textsIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isTree(value) ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )

const editsIn = (value: unknown): Edits | undefined =>
  isTree(value) ? { ...noEdits, names: textsIn(value.names), texts: textsIn(value.texts) } : undefined
