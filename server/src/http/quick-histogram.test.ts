// What Prometheus reads is what it would read of prom-client's own histogram.
import { Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { QuickHistogram } from './quick-histogram.ts'

const bounds = [0.1, 0.5, 2]
const seconds = [0, 0.1, 0.100001, 0.3, 0.5, 1.75, 2, 2.5, 100]
const described = { name: 'turn_seconds', help: 'Turns.' }

function registries() {
  const [theirs, ours] = [new Registry(), new Registry()]
  return { theirs, ours, same: async () => expect(await ours.metrics()).toBe(await theirs.metrics()) }
}

it('counts the values of each series in its buckets', async () => {
  const { theirs, ours, same } = registries()
  const labelNames = ['part', 'status']
  const expected = new Histogram({ ...described, labelNames, buckets: bounds, registers: [theirs] })
  const quick = new QuickHistogram({ ...described, bounds, registry: ours })
  await same()
  for (const labels of [
    { part: 'llm', status: 200 },
    { part: 'tts', status: 500 },
  ]) {
    const series = quick.series(labels)
    for (const value of seconds) {
      expected.observe(labels, value)
      series.observe(value)
    }
    await same()
  }
})

it('shows a series without labels from the beginning', async () => {
  const { theirs, ours, same } = registries()
  const expected = new Histogram({ ...described, buckets: bounds, registers: [theirs] })
  const series = new QuickHistogram({ ...described, bounds, registry: ours }).series()
  await same()
  expected.observe(0.3)
  series.observe(0.3)
  await same()
})

it('is one of its name in a registry', () => {
  const registry = new Registry()
  new QuickHistogram({ ...described, bounds, registry })
  expect(() => new QuickHistogram({ ...described, bounds, registry })).toThrow('already been registered')
})
