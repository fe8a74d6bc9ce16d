// The statements of the queues are planned once and kept: they must go by an index also where the queue was empty then.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Db, openDb, type Queries } from '../src/platform/db/db.ts'
import {
  claimCallbacks,
  recoverCallbacks,
  untilNextCallback,
} from '../src/resources/transcripts/callback-store.ts'
import { claimDue, recoverLost, settleAll, untilNextDelivery } from '../src/resources/webhooks/backlog.ts'
import { planOf } from './support/plan-of.ts'
import { makeDatabase, type TestDatabase } from './support/service.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await makeDatabase()
  db = openDb({ connectionString: database.url }, 2, () => {})
  // A log of what was delivered, and nothing that waits.
  await database.query(`
    INSERT INTO deliveries (delivery_id, event_id, lane, webhook_id, status, attempts, completed_at)
    SELECT gen_random_uuid(), gen_random_uuid(), hook, hook, 'delivered', '[{}]', now()
    FROM generate_series(1, 5000), (SELECT gen_random_uuid() AS hook) AS one`)
  await database.query('ANALYZE deliveries')
})
afterAll(async () => {
  await db?.close()
  await database?.close()
})

const claim = { claimantId: 1, after: '', most: 64, mostPerLane: 64 }

it.each<[string, (queries: Queries) => Promise<unknown>]>([
  ['claiming', (queries) => claimDue(queries, claim)],
  ['settling', (queries) => settleAll(queries, [])],
  ['giving back', (queries) => recoverLost(queries, 1, [], 64)],
  ['looking ahead', (queries) => untilNextDelivery(queries)],
  ['claiming callbacks', (queries) => claimCallbacks(queries, claim)],
  ['giving back callbacks', (queries) => recoverCallbacks(queries, 1, [], 16)],
  ['looking ahead for callbacks', (queries) => untilNextCallback(queries)],
])('%s reads nothing that it does not want', async (_, ask) => {
  const plan = await planOf(db, ask)
  expect(plan).not.toMatch(/Seq Scan on (deliveries|transcript_callbacks)/)
  // An index that is walked from end to end is no better.
  expect(plan).not.toMatch(/(deliveries|transcript_callbacks)_pkey on .*\n(?!\s+Index Cond)/)
})

it('an outcome is written down by its id, not by way of all that wait', async () => {
  const plan = await planOf(db, (queries) => settleAll(queries, []))
  expect(plan).toContain('deliveries_pkey')
  expect(plan).not.toContain('deliveries_lane')
})

it('no column of a table that is written all day asks for a large sample', async () => {
  const busy = [
    'calls',
    'calls_to_tell',
    'calls_to_analyse',
    'call_events',
    'events',
    'deliveries',
    'batch_recipients',
  ]
  const greedy = await database.query(
    `SELECT attrelid::regclass::text AS "table", attname AS "column" FROM pg_attribute
     WHERE attrelid = ANY($1::regclass[]) AND attnum > 0 AND NOT attisdropped
       AND coalesce(attstattarget, -1) NOT BETWEEN 0 AND 20`,
    [busy],
  )
  // A migration that adds one calls analyse_lightly().
  expect(greedy).toEqual([])
})
