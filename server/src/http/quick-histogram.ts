// A histogram for what happens thousands of times a second. For each value, prom-client's own makes objects, a key of
// the labels and a name for the bucket; here a series is looked up once, and counts in an array. It reads the same.
import type { Histogram, Registry } from 'prom-client'

export type Labels = Readonly<Record<string, string | number>>

interface Sample {
  readonly metricName: string
  readonly labels: Labels
  readonly value: number
}

interface Options {
  readonly name: string
  readonly help: string
  /** Upper bounds of the buckets, rising. */
  readonly bounds: readonly number[]
  readonly registry: Registry
}

export class QuickHistogram {
  readonly name: string
  readonly #help: string
  readonly #bounds: readonly number[]
  readonly #series: Series[] = []

  constructor({ name, help, bounds, registry }: Options) {
    this.name = name
    this.#help = help
    this.#bounds = bounds
    // A registry asks a metric only for its name and its samples.
    registry.registerMetric(this as unknown as Histogram)
  }

  /** The caller keeps the series; each set of labels has one of its own. */
  series(labels: Labels = {}): Series {
    const made = new Series(this.name, labels, this.#bounds)
    this.#series.push(made)
    return made
  }

  async get(): Promise<{ name: string; help: string; type: string; aggregator: string; values: Sample[] }> {
    const values = this.#series.flatMap((one) => one.samples)
    return { name: this.name, help: this.#help, type: 'histogram', aggregator: 'sum', values }
  }
}

export class Series {
  readonly #name: string
  readonly #labels: Labels
  readonly #bounds: readonly number[]
  /** The number of values up to each bound, and last that of values beyond. */
  readonly #counts: Float64Array
  #sum = 0

  constructor(name: string, labels: Labels, bounds: readonly number[]) {
    this.#name = name
    this.#labels = labels
    this.#bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    const fits = this.#bounds.findIndex((bound) => value <= bound)
    const bucket = fits < 0 ? this.#bounds.length : fits
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += value
  }

  get samples(): Sample[] {
    const sample = (part: string, value: number, labels: Labels = this.#labels): Sample => ({
      metricName: `${this.#name}_${part}`,
      labels,
      value,
    })
    let count = 0
    const buckets = [...this.#bounds, '+Inf'].map((le, at) => {
      count += this.#counts[at] ?? 0
      return sample('bucket', count, { le, ...this.#labels })
    })
    return [...buckets, sample('sum', this.#sum), sample('count', count)]
  }
}
