// The checker of mixed traffic compares what was acknowledged with what is stored, was dialled and arrived.
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, statement } from '../server/src/platform/db/db.ts'
import { checkBatches } from './batch-check.ts'
import { batchRows, toldSessions } from './batch-rows.ts'
import { type CallRow, type CallStart, checkCalls } from './call-check.ts'
import type { MixedEvidence } from './mixed-load.ts'

export interface MixedFindings {
  readonly acknowledged: number
  readonly calls: number
  readonly events: number
  /** Arrivals beyond the first of an event. */
  readonly repeated: number
  /** Agents, calls and batches that were acknowledged and are not stored, or whose calls have no end or event. */
  readonly lost: number
  /** Calls that were dialled twice. */
  readonly doubled: number
  /** Events that never arrived. */
  readonly undelivered: number
  /** Calls that were given up although their process lived. */
  readonly givenUp: number
  readonly complaints: readonly string[]
}

const selectAgents = statement("SELECT agent_id AS id, config ->> 'agent_name' AS name FROM agents")
const selectCalls = statement(`
  SELECT session_id AS "sessionId", finished, hangup_reason AS "hangupReason" FROM calls WHERE batch_id IS NULL`)
const selectBatches = statement('SELECT batch_id AS id FROM batches')
const countLeft = statement(`
  SELECT ((SELECT count(*) FROM calls WHERE NOT finished) + (SELECT count(*) FROM calls_to_tell)
    + (SELECT count(*) FROM deliveries WHERE status = 'queued')
    + (SELECT count(*) FROM batches WHERE completed_at IS NULL))::int AS n`)

// The wait for the last batch and for retries of deliveries. The checker reports what is left after it.
const restTimeoutMs = 120_000
const pollMs = 200

export async function checkLoad(db: Db, dialLog: string, promised: MixedEvidence): Promise<MixedFindings> {
  await whenAtRest(db)
  const agents = new Map(
    (await db.rows<{ id: string; name: string }>(selectAgents)).map((row) => [row.id, row.name]),
  )
  const batches = new Set((await db.rows<{ id: string }>(selectBatches)).map(({ id }) => id))
  const told = await toldSessions(db)
  const runs = await readRuns(dialLog)
  const ofCalls = checkCalls({
    acknowledged: promised.calls,
    runs,
    told,
    killed: new Set<number>(),
    unmended: [],
    rows: await db.rows<CallRow>(selectCalls),
  })
  const ofBatches = checkBatches({
    ...(await batchRows(db)),
    dials: runs.map(({ sessionId }) => sessionId),
  })
  const lostAgents = [...promised.agents].filter(([id, name]) => agents.get(id) !== name)
  const lostBatches = [...promised.batches].filter((id) => !batches.has(id))
  const arrived = new Set(promised.received)
  const undelivered = told.filter((id) => !arrived.has(id))
  return {
    acknowledged: promised.agents.size + promised.calls.size + promised.batches.size,
    calls: runs.length,
    events: told.length,
    repeated: promised.received.length - arrived.size,
    lost:
      lostAgents.length +
      lostBatches.length +
      ofCalls.lost +
      ofCalls.unended +
      ofBatches.lost +
      ofBatches.unrecorded,
    doubled: ofCalls.doubled + ofBatches.doubled,
    undelivered: undelivered.length,
    givenUp: ofCalls.workerLost + ofBatches.workerLost,
    complaints: [
      ...lostAgents.map(([id]) => `lost: agent ${id}`),
      ...lostBatches.map((id) => `lost: batch ${id}`),
      ...ofCalls.complaints,
      ...ofBatches.complaints,
      ...undelivered.map((id) => `undelivered: the event of ${id}`),
    ],
  }
}

export const isClean = ({ lost, doubled, undelivered, givenUp }: MixedFindings): boolean =>
  lost + doubled + undelivered + givenUp === 0

async function whenAtRest(db: Db): Promise<void> {
  const giveUpAt = Date.now() + restTimeoutMs
  const left = () => db.row<{ n: number }>(countLeft).catch(() => undefined)
  while (Date.now() < giveUpAt && (await left())?.n !== 0) await sleep(pollMs)
}

async function readRuns(dialLog: string): Promise<CallStart[]> {
  const text = await readFile(dialLog, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [pid, sessionId = ''] = line.split(' ')
      return { pid: Number(pid), sessionId }
    })
}
