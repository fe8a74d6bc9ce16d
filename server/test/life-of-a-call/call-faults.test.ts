// A short run of the crash test in faults/, and proof that its checker can fail.
import { describe, expect, it } from 'vitest'
import { type CallEvidence, checkCalls, isClean } from '../../../faults/call-check.ts'
import { killCallWorkers } from '../../../faults/call-workers-killed.ts'
import { checkEdge, type EdgeEvidence } from '../../../faults/edge-check.ts'

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

describe('the checker of calls through the edge', () => {
  const at = {
    answeredMs: 1_200,
    resumedMs: undefined,
    refusedMs: undefined,
    endedMs: 9_000,
    leftMs: undefined,
  }
  const [early, late] = [
    { ...at, number: 1, invitedMs: 1_000 },
    { ...at, number: 2, invitedMs: 10_100, answeredMs: 10_400, endedMs: 18_000 },
  ]
  const record = (number: number) => ({
    session_id: `s${number}`,
    caller: `+1555${number}`,
    status: 'completed',
    reason: 'user_hangup',
    events: 1,
  })
  const honest: EdgeEvidence = {
    placed: [early, late],
    records: [record(1), record(2)],
    killedMs: 10_000,
    held: new Set(['s1']),
  }
  const lostWith = { ...record(1), reason: 'worker_lost', status: 'failed' }

  it('accepts calls that ended, and lost ones of the killed worker with their record and event', () => {
    expect(checkEdge(honest)).toMatchObject({ faults: [], ended: 2, lost: 0 })
    const lost = { ...honest, records: [lostWith, record(2)] }
    expect(checkEdge(lost)).toMatchObject({ faults: [], lost: 1 })
  })

  // It was on the line when the worker was killed.
  const unheard = { ...early, endedMs: undefined, leftMs: 10_300 }

  it('accepts a caller who hung up on the killed worker', () => {
    expect(checkEdge({ ...honest, placed: [unheard, late] })).toMatchObject({ faults: [], ended: 1, left: 1 })
  })

  it.each<[string, Partial<EdgeEvidence>]>([
    ['on a worker that was drained', { held: new Set() }],
    ['on the one that went on with the call', { placed: [{ ...unheard, resumedMs: 10_200 }, late] }],
    ['before the kill', { placed: [{ ...unheard, leftMs: 9_900 }, late] }],
    ['without its record saying so', { records: [{ ...record(1), reason: 'silence' }, record(2)] }],
  ])('notices a caller who hung up unheard %s', (_where, doctored) => {
    const { faults, left } = checkEdge({ ...honest, placed: [unheard, late], ...doctored })
    expect(faults).toEqual(['call 1 was answered, and its BYE was not'])
    expect(left).toBe(0)
  })

  it.each<[string, Partial<EdgeEvidence>]>([
    ['no record', { records: [record(1)] }],
    ['2 records', { records: [record(1), record(2), { ...record(2), session_id: 's3' }] }],
    ['0 events', { records: [record(1), { ...record(2), events: 0 }] }],
    ['was not of the killed worker', { records: [{ ...lostWith, session_id: 's9' }, record(2)] }],
    ['was refused', { placed: [early, { ...late, answeredMs: undefined, refusedMs: 10_200 }] }],
    ['was not answered', { placed: [early, { ...late, answeredMs: undefined, endedMs: undefined }] }],
    ['its BYE was not', { placed: [early, { ...late, endedMs: undefined }] }],
    ['ended as failed', { records: [record(1), { ...record(2), status: 'failed' }] }],
    ['waited 2500 ms after the kill', { placed: [early, { ...late, answeredMs: 12_600 }] }],
  ])('notices a call that has or is “%s”', (fault, doctored) => {
    expect(checkEdge({ ...honest, ...doctored }).faults.join()).toContain(fault)
  })
})
