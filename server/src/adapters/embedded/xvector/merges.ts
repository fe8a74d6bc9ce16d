// Which of many vectors belong together: the closest two become one, again and again, until one is left.
//
// The likeness of two groups is the mean over all pairs of their members. As the vectors have length 1, that is the dot
// product of the two means, so that no table of all pairs is needed.

export interface Merge {
  readonly one: number
  readonly other: number
  readonly likeness: number
  /** How alike the members of either are among themselves; undefined where each has only one. */
  readonly cohesion: number | undefined
  /** How many members the smaller has. */
  readonly fewest: number
}

interface Group {
  readonly sum: Float64Array
  readonly count: number
}

/** The closest first. A group goes on under the number of its first member. */
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
    // Each is the other's nearest: nothing that happens elsewhere can change that.
    chain.length -= 2
    const [one, other] = [Math.min(top, before), Math.max(top, before)]
    const pair = [groups.get(one), groups.get(other)] as [Group, Group]
    groups.set(one, joined(...pair))
    groups.delete(other)
    merges.push({
      one,
      other,
      likeness: nearest.likeness,
      cohesion: cohesionOf(pair),
      fewest: Math.min(...pair.map(({ count }) => count)),
    })
  }
  return merges.toSorted((a, b) => b.likeness - a.likeness)
}

/** Of equals the one that is preferred: else the chain would never end. */
function nearestTo(groups: ReadonlyMap<number, Group>, number: number, preferred: number | undefined) {
  const own = groups.get(number) as Group
  const liked = preferred === undefined ? undefined : groups.get(preferred)
  let nearest = {
    number: preferred ?? -1,
    likeness: liked ? likeness(own, liked) : Number.NEGATIVE_INFINITY,
  }
  for (const [other, group] of groups) {
    if (other === number || other === preferred) continue
    const found = likeness(own, group)
    if (found > nearest.likeness) nearest = { number: other, likeness: found }
  }
  return nearest
}

function likeness(one: Group, other: Group): number {
  let dot = 0
  for (let i = 0; i < one.sum.length; i++) dot += (one.sum[i] as number) * (other.sum[i] as number)
  return dot / (one.count * other.count)
}

/** In the (geometric) mean of those that have several members. */
function cohesionOf(pair: readonly Group[]): number | undefined {
  const several = pair.filter(({ count }) => count > 1)
  if (several.length === 0) return undefined
  const product = several.reduce((total, group) => total * Math.max(0, likenessInside(group)), 1)
  return product ** (1 / several.length)
}

/** Every vector has length 1, so its product with itself is 1: what is left of the sum's are the pairs. */
function likenessInside({ sum, count }: Group): number {
  const all = sum.reduce((total, value) => total + value * value, 0)
  return (all - count) / (count * (count - 1))
}

const joined = (one: Group, other: Group): Group => ({
  sum: one.sum.map((value, i) => value + (other.sum[i] as number)),
  count: one.count + other.count,
})
