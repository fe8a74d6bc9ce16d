// A short run of the endurance test in faults/, and proof that its checker can fail.
import { describe, expect, it } from 'vitest'
import { grown, type Holdings } from '../../faults/holdings.ts'
import { endure } from '../../faults/ten-thousand-calls.ts'

it('sixty short calls end as their scripts say', async () => {
  const { ends } = await endure(60, () => {}, 6)
  const counts = Object.fromEntries([...ends].map(([end, count]) => [end.split(' (')[0], count]))
  expect(counts).toEqual({ 'completed user_hangup': 40, 'busy dial_busy': 10, 'failed dial_failed': 10 })
})

describe('the checker', () => {
  const first: Holdings = {
    heapMb: 20,
    outsideMb: 1,
    rssMb: 200,
    resources: ['Timeout'],
    files: 30,
    threads: 12,
  }

  it('finds nothing when nothing grew', () => {
    expect(grown(first, { ...first, heapMb: 20.5, rssMb: 210 })).toEqual([])
  })

  it.each([
    ['heap', { heapMb: 21.5 }],
    ['memory outside the heap', { outsideMb: 3 }],
    ['RSS', { rssMb: 240 }],
    ['handles and timers', { resources: ['Timeout', 'Timeout'] }],
    ['open files', { files: 31 }],
    ['threads', { threads: 13 }],
  ])('notices %s that grew', (what, more) => {
    expect(grown(first, { ...first, ...more })).toEqual([expect.stringContaining(what)])
  })
})
