// Corrections of a transcript as its page has them, and what becomes of them when somebody else has saved others. Pure.
import type { Corrections, NewCorrections, Segment } from '@parley/contract'

type Texts = Readonly<Record<string, string>>

export interface Edits {
  /** By speaker, as in SPEAKER_00. */
  readonly names: Texts
  /** By the id of the line. */
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

/** Without what corrects nothing: no name, a line as it was heard, and blanks around either. */
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

/** What somebody has typed, and what it was typed on top of. */
export interface Draft {
  readonly base: Edits
  readonly mine: Edits
}

interface ConcurrentEdits extends Draft {
  readonly theirs: Edits
  /** What was sent without an answer: if that was saved, it is nobody else's. */
  readonly sent: readonly Edits[]
  /** How `mine` is compared; what is typed may end in a blank. */
  tidy(edits: Edits): Edits
}

/** The same changes on top of what is saved now. Where both have changed the same, the base stays, and they clash. */
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

/** Two people have corrected the same name or line. Undefined: it is as it was heard. */
export interface Clash {
  readonly kind: Kind
  readonly key: string
  readonly mine: string | undefined
  readonly theirs: string | undefined
}

/** After `rebased`. */
export const clashesOf = ({ base, mine }: Draft, theirs: Edits): Clash[] =>
  kinds.flatMap((kind) =>
    keysOf(base[kind], theirs[kind])
      .filter((key) => base[kind][key] !== theirs[kind][key])
      .map((key) => ({ kind, key, mine: mine[kind][key], theirs: theirs[kind][key] })),
  )

/** Somebody has seen both and chosen. */
export const settled = (
  { base, mine }: Draft,
  { kind, key, theirs }: Clash,
  whose: 'mine' | 'theirs',
): Draft => ({
  base: withOne(base, kind, key, theirs),
  mine: whose === 'mine' ? mine : withOne(mine, kind, key, theirs),
})
