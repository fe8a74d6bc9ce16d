// Metrics in the format of OpenMetrics, which has exemplars: beside a bucket of a histogram stands the trace of its latest
// observation. prom-client has this for whole registries only; ours serves readers of both formats.
import type { Exemplar, Exemplars } from '../platform/telemetry/exemplars.ts'

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
    return bucket ? line + printed(exemplars.of(bucket[0])) : line
  }
  const lines = text.split('\n').filter((line) => line !== '')
  return `${lines.map(lineOf).join('\n')}\n# EOF\n`
}

const printed = (found: Exemplar | undefined): string =>
  found ? ` # {trace_id="${found.traceId}"} ${found.value} ${found.atMs / 1000}` : ''
