// A rule of a spoken form: a written pattern, and the words for it.

/** The arguments of `String.replace`: the match, then its groups. */
export type SpokenRule = readonly [
  written: RegExp,
  say: (match: string, ...groups: (string | undefined)[]) => string,
]

export const always =
  (words: string): SpokenRule[1] =>
  () =>
    words

// Applies rules to a text. Their patterns must have the flag g.
export const applied = (rules: readonly SpokenRule[], text: string): string =>
  rules.reduce((said, [written, say]) => said.replace(written, say), text)

export const escapedPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Words that stand between others. */
export const pad = (said: string): string => ` ${said} `

/** A pattern of alternatives, the longest first. */
export const oneOf = (texts: readonly string[]): string =>
  texts
    .toSorted((one, other) => other.length - one.length)
    .map(escapedPattern)
    .join('|') || '(?!)'

/** The entries of a table by each spelling of their keys, which stand between bars: `€|EUR`. */
export const bySpelling = <Entry>(table: Readonly<Record<string, Entry>>): Readonly<Record<string, Entry>> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([spellings, entry]) =>
      spellings.split('|').map((spelling) => [spelling, entry] as const),
    ),
  )
