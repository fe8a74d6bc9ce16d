// The corrections of a transcript on its page, and how they are joined with those that somebody else has saved. Pure.
import type { Corrections, NewCorrections, Segment } from '@parley/contract'

type Texts = Readonly<Record<string, string>>

export interface Edits {
  /** The names of speakers, by their ids such as SPEAKER_00. */
  readonly names: Texts
  /** The texts of lines, by the id of the line. */
  readonly texts: Texts
}

export const noEdits: Edits = { names: {}, texts: {} }

const kinds = ['names', 'texts'] as const
type Kind = (typeof kinds)[number]

export const editsOf = ({ speakers, segments }: Pick<Corrections, 'speakers' | 'segments'>): Edits => ({
  names: Object.fromEntries(speakers.map(({ speaker, name }) => [speaker, name])),
  texts: Object.fromEntries(segments.map(({ id, text }) => [String(id), text])),
})

export const writtenOf = ({ names, texts }: Edits): Pick<NewCorrections, 'speakers' | 'segments'> => ({
  speakers: Object.entries(names).map(([speaker, name]) => ({ speaker, name })),
  segments: Object.entries(texts).map(([id, text]) => ({ id: Number(id), text })),
})

/** The corrections without those that change nothing: an empty name, a line as it was heard, blanks at either end. */
export function tidied({ names, texts }: Edits, segments: readonly Segment[]): Edits {
  const trimmed = (all: Texts) => Object.entries(all).map(([key, text]) => [key, text.trim()] as const)
  return {
    names: Object.fromEntries(trimmed(names).filter(([, name]) => name !== '')),
    texts: Object.fromEntries(
      trimmed(texts).filter(([id, text]) => text !== segments[Number(id)]?.text.trim()),
    ),
  }
}

export const howMany = ({ names, texts }: Edits): number =>
  Object.keys(names).length + Object.keys(texts).length

export const isSame = (one: Edits, other: Edits): boolean =>
  kinds.every((kind) => keysOf(one[kind], other[kind]).every((key) => one[kind][key] === other[kind][key]))

const keysOf = (...all: Texts[]): string[] => [...new Set(all.flatMap(Object.keys))]

const withOne = (edits: Edits, kind: Kind, key: string, text: string | undefined): Edits => {
  const { [key]: _, ...rest } = edits[kind]
  return { ...edits, [kind]: text === undefined ? rest : { ...rest, [key]: text } }
}

/** The corrections of one user, and the saved ones on which they are based. */
export interface Draft {
  readonly base: Edits
  readonly mine: Edits
}

interface ConcurrentEdits extends Draft {
  readonly theirs: Edits
  /** Corrections that were sent and never answered: if they were saved, they are not somebody else's. */
  readonly sent: readonly Edits[]
  /** Applied to `mine` before it is compared: text that is being typed may end in a blank. */
  tidy(edits: Edits): Edits
}

/** The user's changes on top of what is saved now. Where both sides have changed the same thing, the base stays, and it is a clash. */
export function rebased({ base, mine, theirs, sent, tidy }: ConcurrentEdits): Draft {
  const meant = tidy(mine)
  let next: Draft = { base, mine }
  for (const kind of kinds) {
    for (const key of keysOf(base[kind], theirs[kind])) {
      const [was, is, saved] = [base[kind][key], meant[kind][key], theirs[kind][key]]
      if (saved === was) continue
      if (is === was)
        next = { base: withOne(next.base, kind, key, saved), mine: withOne(next.mine, kind, key, saved) }
      else if (saved === is || sent.some((one) => one[kind][key] === saved))
        next = { ...next, base: withOne(next.base, kind, key, saved) }
    }
  }
  return next
}

/** A name or a line that two people have corrected. Undefined: that side left it as it was heard. */
export interface Clash {
  readonly kind: Kind
  readonly key: string
  readonly mine: string | undefined
  readonly theirs: string | undefined
}

/** The clashes of a draft that `rebased` has returned. */
export const clashesOf = ({ base, mine }: Draft, theirs: Edits): Clash[] =>
  kinds.flatMap((kind) =>
    keysOf(base[kind], theirs[kind])
      .filter((key) => base[kind][key] !== theirs[kind][key])
      .map((key) => ({ kind, key, mine: mine[kind][key], theirs: theirs[kind][key] })),
  )

/** The draft after the user has settled a clash. */
export const settled = (
  { base, mine }: Draft,
  { kind, key, theirs }: Clash,
  whose: 'mine' | 'theirs',
): Draft => ({
  base: withOne(base, kind, key, theirs),
  mine: whose === 'mine' ? mine : withOne(mine, kind, key, theirs),
})
