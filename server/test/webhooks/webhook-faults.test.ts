// A short run of the crash test in faults/, and proof that its checker can fail.
import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkDeliveries, type Evidence, isClean } from '../../../faults/webhook-check.ts'
import { crashUnderDeliveries } from '../../../faults/webhook-crashes.ts'

it('killed three times under deliveries, its database once killed and once cut off, it loses no event', async () => {
  const outcome = await crashUnderDeliveries(3, () => {})
  expect(outcome.complaints).toEqual([])
  expect(outcome).toMatchObject({ kills: 3, databaseKills: 1, cuts: 1 })
  // The recovery time is measured in the full run, not while other tests run.
  expect(isClean(outcome)).toBe(true)
  expect(outcome.acknowledged).toBeGreaterThan(0)
  // Without requests in flight at a kill, the test would prove nothing.
  expect(outcome.repeated).toBeGreaterThan(0)
})

describe('the checker', () => {
  const [sessionId, agentId, eventId, deliveryId, webhookId] = Array.from({ length: 5 }, () => randomUUID())
  const ids = { sessionId, agentId, eventId, deliveryId, webhookId } as Record<string, string>
  const payload = JSON.stringify({ id: eventId, data: { session_id: sessionId } })
  const event = { eventId: ids.eventId, agentId: ids.agentId, payload } as Evidence['events'][0]
  const refused = { http_status: 500, error: 'answered 500' }
  const accepted = { http_status: 200, error: null }
  const delivery = {
    deliveryId: ids.deliveryId,
    eventId: ids.eventId,
    webhookId: ids.webhookId,
    status: 'delivered',
    attempts: [refused, accepted],
  } as Evidence['deliveries'][0]
  const arrivalAt = (atMs: number, status: number): Evidence['arrivals'][0] => ({
    deliveryId: ids.deliveryId as string,
    atMs,
    sentAtMs: atMs,
    madeAtMs: 0,
    sha256: createHash('sha256').update(payload).digest('hex'),
    status,
    answeredAtMs: atMs,
  })
  const honest: Evidence = {
    acknowledged: new Set([ids.sessionId as string]),
    endpoints: [{ webhookId: ids.webhookId as string, agentId: undefined }],
    events: [event],
    deliveries: [delivery],
    arrivals: [arrivalAt(1_000, 500), arrivalAt(2_000, 200)],
    blows: [],
  }
  const check = (doctored: Partial<Evidence>) => checkDeliveries({ ...honest, ...doctored })

  it('accepts evidence without faults', () => {
    const findings = check({})
    expect(findings).toMatchObject({ acknowledged: 1, delivered: 1, repeated: 0, complaints: [] })
    expect(isClean(findings)).toBe(true)
  })

  it.each<[string, Partial<Evidence>, object]>([
    ['a call without an event', { acknowledged: new Set([ids.sessionId as string, 'x']) }, { lost: 1 }],
    ['a call with two events', { events: [event, { ...event, eventId: 'x' }] }, { doubled: 1, lost: 1 }],
    ['an event without its delivery', { deliveries: [], arrivals: [] }, { lost: 1 }],
    [
      'an event with two',
      { deliveries: [delivery, { ...delivery, deliveryId: 'x' }] },
      { doubled: 1, lost: 1 },
    ],
    [
      'an event for another agent',
      { endpoints: [{ webhookId: ids.webhookId as string, agentId: 'x' }] },
      { doubled: 1 },
    ],
    ['a delivery that has not ended', { deliveries: [{ ...delivery, status: 'queued' }] }, { lost: 1 }],
    [
      'a delivery that was never accepted',
      { arrivals: [arrivalAt(1_000, 500), arrivalAt(2_000, 500)] },
      { lost: 1 },
    ],
    ['a refusal never sent', { arrivals: [arrivalAt(1_000, 200), arrivalAt(2_000, 200)] }, { lost: 1 }],
    [
      'a delivery that was given up after two attempts',
      {
        deliveries: [{ ...delivery, status: 'failed', attempts: [refused, refused] }],
        arrivals: [arrivalAt(1_000, 500), arrivalAt(2_000, 500)],
      },
      { lost: 1 },
    ],
    [
      'bytes that are not those of the event',
      { arrivals: [{ ...arrivalAt(1_000, 500), sha256: 'x' }, arrivalAt(2_000, 200)] },
      { changed: 1 },
    ],
    [
      'a request too many',
      { deliveries: [{ ...delivery, attempts: [accepted] }] },
      { unexplained: 1, repeated: 1 },
    ],
    [
      'a request that belongs to no delivery',
      { arrivals: [...honest.arrivals, { ...arrivalAt(3_000, 200), deliveryId: 'x' }] },
      { unexplained: 1 },
    ],
  ])('finds %s', (_, doctored, found) => {
    const findings = check(doctored)
    expect(findings).toMatchObject(found)
    expect(findings.complaints).not.toEqual([])
    expect(isClean(findings)).toBe(false)
  })

  it('accepts a duplicate request if there was a crash between the two', () => {
    const findings = check({
      deliveries: [{ ...delivery, attempts: [accepted] }],
      blows: [{ fromMs: 1_500, toMs: 1_600 }],
    })
    expect(findings).toMatchObject({ repeated: 1, unexplained: 0, complaints: [] })
  })
})
