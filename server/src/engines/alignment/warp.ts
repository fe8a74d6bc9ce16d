// Where each token was heard: the monotonic path through the decoder's attention (dynamic time warping).

// The step by which a cell is reached at the lowest cost.
const both = 0
const nextToken = 1
const nextFrame = 2

// Attention is spread thinly over many frames; a cell without any must not cost infinity.
const traces = 1e-3

/** One row of attention per token over all frames; returns the frame in which each token begins. */
export function warp(rows: readonly Float32Array[]): number[] {
  const frames = rows[0]?.length ?? 0
  const ways: Uint8Array[] = []
  let above = new Float64Array(frames + 1).fill(Number.POSITIVE_INFINITY)
  above[0] = 0
  for (const row of rows) {
    const costs = new Float64Array(frames + 1).fill(Number.POSITIVE_INFINITY)
    const taken = new Uint8Array(frames + 1)
    for (let frame = 1; frame <= frames; frame++) {
      const diagonal = above[frame - 1] as number
      const down = above[frame] as number
      const right = costs[frame - 1] as number
      const way = diagonal < down && diagonal < right ? both : down < right ? nextToken : nextFrame
      const best = way === both ? diagonal : way === nextToken ? down : right
      taken[frame] = way
      costs[frame] = best - Math.log((row[frame - 1] as number) + traces)
    }
    ways.push(taken)
    above = costs
  }
  return walkBack(ways, frames)
}

function walkBack(ways: readonly Uint8Array[], frames: number): number[] {
  const starts = ways.map(() => 0)
  let [token, frame] = [ways.length, frames]
  while (token > 0 && frame > 0) {
    starts[token - 1] = frame - 1
    const way = ways[token - 1]?.[frame]
    if (way !== nextFrame) token--
    if (way !== nextToken) frame--
  }
  return starts
}
