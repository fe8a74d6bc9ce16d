// Corrections that are not saved yet, kept by this browser: a connection that is away or a tab that is closed loses nothing.
import { type BrowserStore, forget, keep, kept } from '../ui/forms/browser-store.ts'
import { isTree } from '../ui/forms/tree.ts'
import { type Draft, type Edits, noEdits } from './edits.ts'

export interface KeptPlace {
  /** Whose they are: somebody else at this computer does not save them in their own name. */
  readonly userId: string
  readonly transcriptId: string
}

const keyOf = ({ userId, transcriptId }: KeptPlace) => `parley.corrections.${userId}.${transcriptId}`

/** Undefined: everything is saved. */
export function keepEdits(
  place: KeptPlace,
  draft: Draft | undefined,
  store: BrowserStore = localStorage,
): void {
  if (draft) keep(keyOf(place), draft, store)
  else forget(keyOf(place), store)
}

export function keptEdits(place: KeptPlace, store: BrowserStore = localStorage): Draft | undefined {
  const found = kept(keyOf(place), store)
  const [base, mine] = [editsIn(found?.base), editsIn(found?.mine)]
  return base && mine && { base, mine }
}

// Corrections were once kept by browsers only, under this name.
const formerKeyOf = (transcriptId: string) => `parley-transcript-${transcriptId}`

/** Corrections that only this browser has, of any user. */
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
