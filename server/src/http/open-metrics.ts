// Metrics in the format of OpenMetrics, which has exemplars: beside a bucket of a histogram stands the trace of its latest
// observation. prom-client has this for whole registries only; ours serves readers of both formats.

/** What of a histogram names its buckets. */
export interface Buckets {
  readonly name: string
  readonly bounds: readonly number[]
}

interface Exemplar {
  readonly traceId: string
  readonly value: number
  readonly atMs: number
}

export class Exemplars {
  /** By the sample as prom-client prints it. */
  readonly #latest = new Map<string, Exemplar>()

  /** `labels` as they are printed, such as `part="llm"`. */
  keep({ name, bounds }: Buckets, labels: string, value: number, traceId: string): void {
    const bound = bounds.find((upper) => value <= upper) ?? '+Inf'
    const sample = `${name}_bucket{le="${bound}"${labels && `,${labels}`}}`
    this.#latest.set(sample, { traceId, value, atMs: Date.now() })
  }

  of(sample: string): string {
    const found = this.#latest.get(sample)
    return found ? ` # {trace_id="${found.traceId}"} ${found.value} ${found.atMs / 1000}` : ''
  }
}

export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

export const wantsOpenMetrics = (accept: string | undefined): boolean =>
  accept?.includes('application/openmetrics-text') ?? false

/** `text`: the same as Prometheus has always read it. */
export function openMetricsText(text: string, exemplars: Exemplars): string {
  // A counter is named without the ending that its value has. There are gauges with that ending, too.
  const counters = new Set(Array.from(text.matchAll(/^# TYPE (\w+_total) counter$/gm), ([, name]) => name))
  const lineOf = (line: string): string => {
    const [, word, name = '', rest] = /^# (HELP|TYPE) (\w+) (.*)$/.exec(line) ?? []
    if (word) return `# ${word} ${counters.has(name) ? name.replace(/_total$/, '') : name} ${rest}`
    const bucket = /^\w+_bucket\{.*\}(?= )/.exec(line)
    return bucket ? line + exemplars.of(bucket[0]) : line
  }
  const lines = text.split('\n').filter((line) => line !== '')
  return `${lines.map(lineOf).join('\n')}\n# EOF\n`
}
