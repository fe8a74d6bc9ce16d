// How long something takes, and which share of the times is below which.

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0

export async function timed(act: () => Promise<unknown>): Promise<number> {
  const begunMs = performance.now()
  await act()
  return performance.now() - begunMs
}
