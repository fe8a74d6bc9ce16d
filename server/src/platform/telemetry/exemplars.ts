// The traces of observations: for every bucket of a histogram, that of its latest one. prom-client keeps them for whole
// registries in the format of OpenMetrics only; ours are read in three formats.

/** The parts of a histogram that name its buckets. */
export interface Buckets {
  readonly name: string
  readonly bounds: readonly number[]
}

export interface Exemplar {
  readonly traceId: string
  readonly value: number
  readonly atMs: number
}

type Labels = Readonly<Record<string, string | number>>

/** As prom-client prints it: `le` comes first, then the labels in the order in which they were given. */
export function sampleOf(name: string, labels: Labels): string {
  const printed = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return `${name}{${printed.join(',')}}`
}

export class Exemplars {
  readonly #latest = new Map<string, Exemplar>()

  keep({ name, bounds }: Buckets, labels: Labels, value: number, traceId: string): void {
    const le = bounds.find((upper) => value <= upper) ?? '+Inf'
    this.#latest.set(sampleOf(`${name}_bucket`, { le, ...labels }), { traceId, value, atMs: Date.now() })
  }

  of(sample: string): Exemplar | undefined {
    return this.#latest.get(sample)
  }
}
