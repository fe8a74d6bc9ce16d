// A rule of a spoken form: a written pattern, and the words for it.

/** The arguments of `String.replace`: the match, then its groups. */
export type Rule = readonly [
  written: RegExp,
  say: (match: string, ...groups: (string | undefined)[]) => string,
]

export const always =
  (words: string): Rule[1] =>
  () =>
    words

// The pattern must have the flag g.
export const applied = (rules: readonly Rule[], text: string): string =>
  rules.reduce((said, [written, say]) => said.replace(written, say), text)

export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** An alternative for a pattern, the longest first. */
export const oneOf = (texts: readonly string[]): string =>
  texts
    .toSorted((one, other) => other.length - one.length)
    .map(escaped)
    .join('|') || '(?!)'
