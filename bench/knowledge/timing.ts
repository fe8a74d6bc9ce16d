// Times how long something takes, and finds percentiles of the times.

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0

export async function timed(act: () => Promise<unknown>): Promise<number> {
  const begunMs = performance.now()
  await act()
  return performance.now() - begunMs
}
