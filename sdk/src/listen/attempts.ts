// Counts how many times each delivery id has been seen.

// The number of ids that are remembered. A retry arrives within a minute, and nobody watches more deliveries than this a minute.
const remembered = 10_000

export function attemptCounter(): (deliveryId: string) => number {
  const seen = new Map<string, number>()
  return (deliveryId) => {
    const attempt = (seen.get(deliveryId) ?? 0) + 1
    seen.delete(deliveryId)
    seen.set(deliveryId, attempt)
    for (const oldest of seen.keys()) {
      if (seen.size <= remembered) break
      seen.delete(oldest)
    }
    return attempt
  }
}
