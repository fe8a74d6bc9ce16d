// A short run of the crash test in faults/, and proof that its checker can fail.
import { describe, expect, it } from 'vitest'
import { type CallEvidence, checkCalls, isClean } from '../../faults/call-check.ts'
import { killCallWorkers } from '../../faults/call-workers-killed.ts'

it('killed during calls, no call is lost, run twice or without an end', async () => {
  const outcome = await killCallWorkers(1, () => {})
  expect(outcome.complaints).toEqual([])
  expect(isClean(outcome)).toBe(true)
  expect(outcome.completed).toBeGreaterThan(0)
  // Without calls running at a kill, the test would prove nothing.
  expect(outcome.workerLost).toBeGreaterThan(0)
})

describe('the checker', () => {
  const honest: CallEvidence = {
    acknowledged: new Set(['a', 'b']),
    rows: [
      { sessionId: 'a', finished: true, hangupReason: 'user_hangup' },
      { sessionId: 'b', finished: true, hangupReason: 'worker_lost' },
    ],
    runs: [
      { sessionId: 'a', pid: 1 },
      { sessionId: 'b', pid: 2 },
    ],
    told: ['a', 'b'],
    killed: new Set([2]),
    unmended: [],
  }
  const check = (doctored: Partial<CallEvidence>) => checkCalls({ ...honest, ...doctored })

  it('accepts evidence without faults', () => {
    expect(check({})).toMatchObject({ acknowledged: 2, completed: 1, workerLost: 1, complaints: [] })
    expect(isClean(check({}))).toBe(true)
  })

  it.each<[string, keyof ReturnType<typeof check>, Partial<CallEvidence>]>([
    ['an accepted call without a row', 'lost', { acknowledged: new Set(['a', 'b', 'c']) }],
    ['an end without an event', 'lost', { told: ['a'] }],
    ['an end without a beginning', 'lost', { runs: honest.runs.slice(1) }],
    ['a call that was run twice', 'doubled', { runs: [...honest.runs, { sessionId: 'a', pid: 3 }] }],
    ['a call with two events', 'doubled', { told: ['a', 'b', 'b'] }],
    [
      'a call without an end',
      'unended',
      { rows: [...honest.rows, { sessionId: 'c', finished: false, hangupReason: null }] },
    ],
    ['a call taken for lost without a kill', 'unexplained', { killed: new Set([7]) }],
    ['a recording that was not repaired', 'unmended', { unmended: ['b'] }],
  ])('notices %s', (_what, kind, doctored) => {
    const findings = check(doctored)
    expect(findings[kind]).toBe(1)
    expect(isClean(findings)).toBe(false)
  })
})
