// Agglomerative clustering with average linkage (nearest-neighbour chain).
//
// The similarity of two groups is the mean over all pairs of their members. For unit vectors that is the dot product of
// the two means, so no matrix of all pairs is needed.

export interface Merge {
  readonly one: number
  readonly other: number
  readonly similarity: number
  /** Similarity among the members of the two groups; undefined if both have only one. */
  readonly cohesion: number | undefined
  /** The size of the smaller group. */
  readonly fewest: number
}

interface Group {
  readonly sum: Float64Array
  readonly count: number
}

/** The merges, most similar first. A merged group keeps the number of its first member. */
export function mergesOf(vectors: readonly Float32Array[], counts: readonly number[]): Merge[] {
  const groups = new Map<number, Group>()
  vectors.forEach((vector, number) => {
    const count = counts[number] ?? 1
    groups.set(number, { sum: Float64Array.from(vector, (value) => value * count), count })
  })
  const merges: Merge[] = []
  const chain: number[] = []
  while (groups.size > 1) {
    if (chain.length === 0) chain.push(groups.keys().next().value as number)
    const top = chain.at(-1) as number
    const before = chain.at(-2)
    const nearest = nearestTo(groups, top, before)
    if (nearest.number !== before) {
      chain.push(nearest.number)
      continue
    }
    // Mutual nearest neighbours: no other merge can change that.
    chain.length -= 2
    const [one, other] = [Math.min(top, before), Math.max(top, before)]
    const pair = [groups.get(one), groups.get(other)] as [Group, Group]
    groups.set(one, joined(...pair))
    groups.delete(other)
    merges.push({
      one,
      other,
      similarity: nearest.similarity,
      cohesion: cohesionOf(pair),
      fewest: Math.min(...pair.map(({ count }) => count)),
    })
  }
  return merges.toSorted((a, b) => b.similarity - a.similarity)
}

/** Ties go to `preferred`, or the chain would never end. */
function nearestTo(groups: ReadonlyMap<number, Group>, number: number, preferred: number | undefined) {
  const own = groups.get(number) as Group
  const preferredGroup = preferred === undefined ? undefined : groups.get(preferred)
  let nearest = {
    number: preferred ?? -1,
    similarity: preferredGroup ? similarity(own, preferredGroup) : Number.NEGATIVE_INFINITY,
  }
  for (const [other, group] of groups) {
    if (other === number || other === preferred) continue
    const alike = similarity(own, group)
    if (alike > nearest.similarity) nearest = { number: other, similarity: alike }
  }
  return nearest
}

function similarity(one: Group, other: Group): number {
  let dot = 0
  for (let i = 0; i < one.sum.length; i++) dot += (one.sum[i] as number) * (other.sum[i] as number)
  return dot / (one.count * other.count)
}

/** The geometric mean over the groups with several members. */
function cohesionOf(pair: readonly Group[]): number | undefined {
  const several = pair.filter(({ count }) => count > 1)
  if (several.length === 0) return undefined
  const product = several.reduce((total, group) => total * Math.max(0, similarityInside(group)), 1)
  return product ** (1 / several.length)
}

/** The mean similarity over all pairs: each unit vector contributes 1 with itself, which is subtracted. */
function similarityInside({ sum, count }: Group): number {
  const all = sum.reduce((total, value) => total + value * value, 0)
  return (all - count) / (count * (count - 1))
}

const joined = (one: Group, other: Group): Group => ({
  sum: one.sum.map((value, i) => value + (other.sum[i] as number)),
  count: one.count + other.count,
})
