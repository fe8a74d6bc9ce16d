// Finds the name that was probably meant by one that is not known.

// Names that people write are shorter; comparing longer ones would cost time for nothing.
const longestName = 64

/** Returns undefined if no name is similar. */
export function nearestName(known: readonly string[], written: string): string | undefined {
  if (written.length > longestName) return undefined
  const wrong = simplified(written)
  const nearest = known
    .map((name) => ({ name, edits: editsBetween(wrong, simplified(name)) }))
    .reduce((best, one) => (one.edits < best.edits ? one : best), {
      name: '',
      edits: Number.POSITIVE_INFINITY,
    })
  return nearest.edits <= mostEdits(wrong) ? nearest.name : undefined
}

/** One typo in a short name, two or three in a long one. */
const mostEdits = (name: string): number => Math.max(1, Math.floor(name.length / 4))

/** bufferSize and buffer-size mean buffer_size. */
const simplified = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** How many characters have to be inserted, removed, replaced or swapped with their neighbour. */
function editsBetween(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const edits = [row]
    for (let at = 1; at <= other.length; at++) {
      const same = one[row - 1] === other[at - 1]
      const swapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      edits[at] = Math.min(
        (last[at] as number) + 1,
        (edits[at - 1] as number) + 1,
        (last[at - 1] as number) + (same ? 0 : 1),
        swapped ? (beforeLast[at - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = edits
  }
  return last[other.length] as number
}
