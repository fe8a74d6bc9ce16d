// The word error rate of a transcriber.

/** Spellings that sound alike count as one word. */
const spellings: Readonly<Record<string, string>> = {
  mr: 'mister',
  metres: 'meters',
  '2': 'two',
  '10': 'ten',
}

const words = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('-', ' ')
    .replace(/[^\p{L}\p{M}\p{N}' ]/gu, '')
    .split(' ')
    .filter(Boolean)
    .map((word) => spellings[word] ?? word)

export interface WordErrors {
  readonly errors: number
  readonly words: number
}

/** Insertions, deletions and substitutions of words between the two (Levenshtein). */
export function wordErrors(said: string, heard: string): WordErrors {
  const from = words(said)
  const to = words(heard)
  let row = Array.from({ length: to.length + 1 }, (_, place) => place)
  from.forEach((word, line) => {
    const next = [line + 1]
    to.forEach((other, place) => {
      const change = (row[place] ?? 0) + (word === other ? 0 : 1)
      next.push(Math.min(change, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    })
    row = next
  })
  return { errors: row.at(-1) ?? 0, words: from.length }
}

/** Errors per spoken word, over all pairs. */
export const errorRate = (counts: readonly WordErrors[]): number =>
  counts.reduce((sum, { errors }) => sum + errors, 0) / counts.reduce((sum, { words }) => sum + words, 0)
