// A short run of the endurance test in faults/, and proof that its checker can fail.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { faultsIn, openCurve, type Point } from '../../../faults/curve.ts'
import { drawCurve } from '../../../faults/draw-curve.ts'
import { grown, type Holdings } from '../../../faults/holdings.ts'
import { endure } from '../../../faults/ten-thousand-calls.ts'

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

describe('the curve of hours of calls', () => {
  const point: Point = {
    run: 1,
    is: 'load',
    minutes: 1,
    placed: 100,
    ended: 100,
    lost: 0,
    refused: 0,
    rssMb: 200,
    heapMb: 50.25,
    files: 60,
    threads: 12,
    databaseConnections: 9,
    loopLagP99Ms: 12,
    callsLive: 50,
    deliveryDelayMs: 8,
    requestMs: 10,
    waitingRows: 50,
    callRows: 100,
    databaseMb: 20,
  }
  const atRest = { callsLive: 0, waitingRows: 0 }
  const run = (nth: number, last: Partial<Point> = {}, load: Partial<Point> = {}): Point[] => [
    { ...point, ...atRest, run: nth, is: 'first' },
    ...Array.from({ length: 10 }, (_, minute) => ({ ...point, ...load, run: nth, minutes: minute + 2 })),
    { ...point, ...atRest, run: nth, is: 'rest', placed: 900, callRows: 900, ...last },
  ]

  it('is gone on with by the next run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-curve-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'curve.csv')
    const before = openCurve(file)
    expect(before).toMatchObject({ run: 1, minutes: 0, points: [] })
    for (const each of run(1)) before.add(each)
    const after = openCurve(file)
    expect(after).toMatchObject({ run: 2, minutes: 1, points: run(1) })
    after.add({ ...point, run: 2 })
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(run(1).length + 3)
  })

  it('is flat if nothing grew in any run, however the runs differ', () => {
    expect(faultsIn([...run(1), ...run(2, { files: 80 }, { rssMb: 900 })])).toEqual([])
  })

  it.each([
    ['files', { files: 200 }, 'files grew by 140.0'],
    ['lost calls', { lost: 1 }, '1 calls were lost'],
    ['rows that wait', { waitingRows: 3 }, '3 rows wait'],
    ['calls without a record', { callRows: 899 }, '800 calls were placed, 799 are stored'],
  ])('is not with %s', (_, last, fault) => {
    expect(faultsIn([...run(1), ...run(2, last)])).toEqual([expect.stringContaining(`run 2: ${fault}`)])
  })

  it('is not if the process never has as little memory again, and is if there was only garbage', () => {
    const grown = run(2).map((one) => ({ ...one, rssMb: one.minutes < 7 ? 200 : 280 }))
    expect(faultsIn([...run(1), ...grown])).toEqual(['run 2: memory grew by 80.0 MB, 60 is allowed'])
    const collected = grown.map((one) => ({ ...one, rssMb: one.minutes === 9 ? 210 : one.rssMb }))
    expect(faultsIn([...run(1), ...collected])).toEqual([])
    expect(faultsIn([...run(1), ...grown, ...run(3)], 3)).toEqual([])
  })

  it('is judged by what is left without garbage, where that was measured', () => {
    const collected = (rssMb: number): Point => ({ ...point, ...atRest, run: 1, is: 'collected', rssMb })
    const [first, ...rest] = run(1, {}, { rssMb: 900 }) as [Point, ...Point[]]
    const withMb = (lastMb: number) => [first, collected(180), ...rest, collected(lastMb)]
    expect(faultsIn(withMb(230))).toEqual([])
    expect(faultsIn(withMb(250))).toEqual(['run 1: memory grew by 70.0 MB, 60 is allowed'])
  })

  it('is not if requests or events became slower', () => {
    const faults = faultsIn([...run(1), ...run(2, {}, { requestMs: 30, deliveryDelayMs: 40 })])
    expect(faults).toEqual(['requestMs went from 10.0 to 30.0', 'deliveryDelayMs went from 8.0 to 40.0'])
  })

  it('is drawn with a line for each run and a dot at each rest', () => {
    const picture = drawCurve([...run(1), ...run(2, { files: 80 })])
    const panels = 6
    expect(picture.match(/stroke="#2563eb"/g)).toHaveLength(2 * panels)
    // Of files, connections and rows; there is nothing without garbage here.
    expect(picture.match(/<circle/g)).toHaveLength(2 * 3)
    expect(picture).not.toMatch(/NaN|undefined|Infinity/)
  })

  it('is none without calls', () => {
    expect(faultsIn([{ ...point, placed: 0 }])).toEqual(['no call was placed'])
  })
})
