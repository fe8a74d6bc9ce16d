// The statements that feed batches have cached plans, which must stay efficient from the first call to the last.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, openDb, type Queries, type Statement } from '../../src/platform/db/db.ts'
import {
  feedCalls,
  recentDials,
  retimeCalls,
  runningBatches,
  startScheduled,
} from '../../src/resources/batches/feed-store.ts'
import { claimCalls } from '../../src/resources/calls/queue/backlog.ts'
import { receiveCall } from '../../src/resources/calls/queue/receive-call.ts'
import { planOf } from '../support/database/plan-of.ts'
import { makeDatabase, type TestDatabase } from '../support/service.ts'

const batchId = '00000000-0000-4000-8000-000000000001'
const feeding = { batchId, zones: [''], sessionIds: [] }

const taking = { claimantId: 1, workspaceId: batchId, most: 10, perWorkspace: 100, perNumber: 50 }
const called = {
  by: 'number' as const,
  provider: 'sip',
  trunkId: batchId,
  called: '+4930901820',
  caller: null,
  variables: {},
}

/** Queries by id find one row; a statement with CTEs finds nothing, and ends the transaction. */
const transactionOn = (queries: Queries): Db => {
  const over = new Error('over')
  const row = async <Row>(statement: Statement) => {
    await queries.rows(statement)
    if (/^\s*WITH/.test(statement.text)) throw over
    return { workspace_id: batchId, agent_id: batchId, phone_number_id: batchId } as Row
  }
  const transaction = (run: (tx: Queries) => Promise<unknown>) =>
    run({ ...queries, row }).catch((error) => {
      if (error !== over) throw error
    })
  return { ...queries, transaction } as unknown as Db
}

/** A batch that is nearly over: thousands of calls have ended, and no recipient is waiting. */
const history = [
  `INSERT INTO batches (batch_id, workspace_id, agent_id, name, status, zones, recipient_count, next_place)
   VALUES ('${batchId}', gen_random_uuid(), gen_random_uuid(), 'Long', 'in_progress', '{""}', 20000, 20001)`,
  `INSERT INTO batch_recipients (batch_id, place, recipient_id, to_phone_number, timezone, status, attempts)
   SELECT '${batchId}', place, place, '+15550100', '', 'completed', 1 FROM generate_series(1, 20000) AS place`,
  `INSERT INTO calls (session_id, workspace_id, agent_id, call_type, call_status, batch_id, recipient_place, finished)
   SELECT gen_random_uuid(), workspace_id, agent_id, 'outbound', 'completed', batch_id, place, true
   FROM batches CROSS JOIN generate_series(1, 20000) AS place`,
  'ANALYZE',
]

describe.each([
  ['that is empty', []],
  ['with a long batch nearly over', history],
])('a database %s', (_, filling) => {
  let database: TestDatabase
  let db: Db
  beforeAll(async () => {
    database = await makeDatabase()
    db = openDb({ connectionString: database.url }, 2, () => {})
    for (const sql of filling) await database.query(sql)
  })
  afterAll(async () => {
    await db?.close()
    await database?.close()
  })

  it.each<[string, (queries: Queries) => Promise<unknown>]>([
    ['looking', (queries) => runningBatches(queries, batchId)],
    ['feeding', (queries) => feedCalls(queries, feeding)],
    ['holding back', (queries) => retimeCalls(queries, batchId, [''], 5)],
    ['starting due batches', (queries) => startScheduled(queries)],
  ])('scans no table when it is %s', async (_, ask) => {
    expect(await planOf(db, ask)).not.toMatch(/Seq Scan on (batch_recipients|calls|batches)/)
  })

  it.each<[string, (db: Db) => Promise<unknown>, string]>([
    ['claiming calls', (queries) => claimCalls(queries, taking), 'calls_waiting'],
    ['receiving a call', (queries) => receiveCall(queries, called, taking), 'calls_live'],
  ])('reads only what waits and runs when it is %s', async (_, act, index) => {
    // The last statement of the transaction counts; the one before it found somebody.
    const plan = await planOf(db, (queries) => act(transactionOn(queries)))
    expect(plan).toContain(index)
    expect(plan).not.toMatch(/Seq Scan on (calls|phone_numbers|workspaces|agents|dialled_calls)/)
    expect(plan).not.toMatch(/calls_newest|calls_of_agent|calls_age/)
  })

  it('finds open calls without reading ended ones', async () => {
    for (const ask of [
      (queries: Queries) => runningBatches(queries, batchId),
      (queries: Queries) => retimeCalls(queries, batchId, [''], 5),
    ]) {
      const plan = await planOf(db, ask)
      expect(plan).toContain('calls_open_of_batch')
      expect(plan).not.toMatch(/calls_of_batch|calls_due|calls_waiting/)
    }
  })

  it('finds the recent dials by their age', async () => {
    const plan = await planOf(db, (queries) => recentDials(queries, batchId, 40))
    expect(plan).toContain('calls_of_batch')
    expect(plan).not.toContain('Sort')
  })

  it('finds recipients by their place, or by when they are due', async () => {
    const plan = await planOf(db, (queries) => feedCalls(queries, feeding))
    const ways = [...plan.matchAll(/using (\w+) on batch_recipients|Bitmap Index Scan on (batch_rec\w+)/g)]
    expect(ways.length).toBeGreaterThan(0)
    expect(plan).not.toMatch(/Hash Join/)
  })
})
