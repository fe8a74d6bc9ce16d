// What a reader of OpenMetrics gets: the format itself, and traces beside the buckets of histograms.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { Exemplars } from '../platform/telemetry/exemplars.ts'
import { openMetricsText, wantsOpenMetrics } from './open-metrics.ts'

const traceId = '01a1e7c4552478ef93485d98d493818a'

it('every bucket has the trace of its latest observation, and every name its form', async () => {
  const registry = new Registry()
  const registers = [registry]
  new Counter({ name: 'calls_total', help: 'Calls.', registers }).inc(2)
  new Gauge({ name: 'handles_total', help: 'Handles.', registers }).set(3)
  const buckets = { name: 'turn_seconds', bounds: [0.1, 0.5] }
  const turns = new Histogram({
    name: buckets.name,
    help: 'Turns.',
    labelNames: ['part'],
    buckets: buckets.bounds,
    registers,
  })
  const exemplars = new Exemplars()
  for (const [seconds, trace] of [
    [0.2, 'an earlier one'],
    [0.3, traceId],
    [7, traceId],
  ] as const) {
    turns.observe({ part: 'llm' }, seconds)
    exemplars.keep(buckets, { part: 'llm' }, seconds, trace)
  }
  const text = openMetricsText(await registry.metrics(), exemplars)
  expect(text.replace(/(# \{.*\} \S+) \S+$/gm, '$1 <now>')).toBe(
    [
      '# HELP calls Calls.',
      '# TYPE calls counter',
      'calls_total 2',
      '# HELP handles_total Handles.',
      '# TYPE handles_total gauge',
      'handles_total 3',
      '# HELP turn_seconds Turns.',
      '# TYPE turn_seconds histogram',
      'turn_seconds_bucket{le="0.1",part="llm"} 0',
      `turn_seconds_bucket{le="0.5",part="llm"} 2 # {trace_id="${traceId}"} 0.3 <now>`,
      `turn_seconds_bucket{le="+Inf",part="llm"} 3 # {trace_id="${traceId}"} 7 <now>`,
      'turn_seconds_sum{part="llm"} 7.5',
      'turn_seconds_count{part="llm"} 3',
      '# EOF\n',
    ].join('\n'),
  )
})

it('is for those who ask for it', () => {
  const prometheus = 'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.4'
  expect(wantsOpenMetrics(prometheus)).toBe(true)
  expect(wantsOpenMetrics('text/plain')).toBe(false)
  expect(wantsOpenMetrics(undefined)).toBe(false)
})
