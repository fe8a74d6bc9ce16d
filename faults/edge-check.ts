// Counts what became of the calls through the edge, from both ends: what sipp saw, and what the records say.
import type { PlacedCall } from '../server/test/props/sip/edge/edge-callers.ts'
import type { CallRow } from './edge-fixture.ts'

export interface EdgeEvidence {
  readonly placed: readonly PlacedCall[]
  readonly records: readonly CallRow[]
  readonly killedMs: number
  /** Sessions of the killed worker. */
  readonly held: ReadonlySet<string>
}

export interface EdgeFindings {
  readonly placed: number
  readonly ended: number
  /** Calls that went on in another worker: after the kill, and after the drain. */
  readonly takenOver: number
  readonly handedOver: number
  /** Calls that ended as `worker_lost`, each with its event. */
  readonly lost: number
  /** Callers who hung up on the killed worker, before another one had spoken to them; their record says so. */
  readonly left: number
  /** The slowest times from INVITE to answer: before the kill, in the two seconds after it, and later. */
  readonly answerMs: { readonly before: number; readonly after: number; readonly later: number }
  /** One sentence for everything that should not be. */
  readonly faults: readonly string[]
}

/**
 * Faults of unanswered BYEs. After the kill nobody is left to answer the BYE of a caller who knows of that worker only. A drained
 * worker answers until the others have spoken to its callers (server/src/resources/calls/queue/leaving-calls.ts), so there an
 * unanswered BYE is a fault. A BYE that crosses the first message of the other worker would be none, but sipp logs both alike; that
 * takes milliseconds, so it is reported as well.
 */
const isExcused = (
  { leftMs, resumedMs }: PlacedCall,
  { session_id, reason }: CallRow,
  evidence: EdgeEvidence,
) =>
  evidence.held.has(session_id) &&
  reason === 'user_hangup' &&
  resumedMs === undefined &&
  leftMs !== undefined &&
  leftMs >= evidence.killedMs

// New calls go on within this time.
const graceMs = 2_000

export function checkEdge(evidence: EdgeEvidence): EdgeFindings {
  const { placed, records, killedMs, held } = evidence
  const faults: string[] = []
  const byCaller = Map.groupBy(records, ({ caller }) => caller)
  let lost = 0
  let left = 0
  for (const call of placed) {
    const rows = byCaller.get(`+1555${call.number}`) ?? []
    const name = `call ${call.number}`
    for (const { events } of rows) if (events !== 1) faults.push(`${name} has a record with ${events} events`)
    // A call that rang at the killed worker has a record there, and another one where it was answered in the end.
    const isOfKilled = ({ session_id, reason }: CallRow) => reason === 'worker_lost' && held.has(session_id)
    const [row, ...more] = rows.filter((one) => !isOfKilled(one))
    if (rows.some(isOfKilled)) lost++
    if (call.refusedMs !== undefined) faults.push(`${name} was refused`)
    else if (more.length > 0) faults.push(`${name} has ${rows.length} records`)
    else if (!row && rows.length === 0) faults.push(`${name} has no record`)
    if (!row || more.length > 0) continue
    if (row.reason === 'worker_lost') faults.push(`${name} was lost, and was not of the killed worker`)
    else if (call.answeredMs === undefined) faults.push(`${name} was not answered`)
    else if (isExcused(call, row, evidence)) left++
    else if (call.endedMs === undefined) faults.push(`${name} was answered, and its BYE was not`)
    else if (row.status !== 'completed') faults.push(`${name} ended as ${row.status} (${row.reason})`)
  }
  const answerMs = {
    before: slowest(placed, (call) => call.invitedMs < killedMs - graceMs),
    after: slowest(placed, ({ invitedMs }) => invitedMs >= killedMs && invitedMs < killedMs + graceMs),
    later: slowest(placed, ({ invitedMs }) => invitedMs >= killedMs + graceMs),
  }
  if (answerMs.after > graceMs) faults.push(`a new call waited ${answerMs.after} ms after the kill`)
  const resumed = placed.filter(({ resumedMs }) => resumedMs !== undefined)
  const isTakenOver = ({ number }: PlacedCall) =>
    byCaller.get(`+1555${number}`)?.some(({ session_id }) => held.has(session_id)) ?? false
  return {
    placed: placed.length,
    ended: placed.filter(({ endedMs }) => endedMs !== undefined).length,
    takenOver: resumed.filter(isTakenOver).length,
    handedOver: resumed.filter((call) => !isTakenOver(call)).length,
    lost,
    left,
    answerMs,
    faults,
  }
}

const slowest = (calls: readonly PlacedCall[], isMeant: (call: PlacedCall) => boolean): number =>
  calls
    .filter(isMeant)
    .reduce((most, { invitedMs, answeredMs }) => Math.max(most, (answeredMs ?? invitedMs) - invitedMs), 0)
