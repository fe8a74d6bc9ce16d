// Queue statements have cached plans, which must use an index even if the queue was empty when they were planned.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerStore } from '../../src/http/idempotency-store.ts'
import { type Db, openDb, type Queries } from '../../src/platform/db/db.ts'
import type { JobTable } from '../../src/platform/jobs/job.ts'
import { queueOf } from '../../src/platform/jobs/statements.ts'
import { openVault } from '../../src/platform/secrets.ts'
import { analysesTable } from '../../src/resources/calls/record/analysis-worker.ts'
import { transcriptsTable } from '../../src/resources/transcripts/backlog.ts'
import { callbacksTable, settleCallbacks } from '../../src/resources/transcripts/callback-worker.ts'
import { deliveriesTable, settleDeliveries } from '../../src/resources/webhooks/backlog.ts'
import { publishEvents } from '../../src/resources/webhooks/event-publisher.ts'
import { planOf } from '../support/database/plan-of.ts'
import { endedDelivery } from '../support/ended-delivery.ts'
import { makeDatabase, type TestDatabase } from '../support/service.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await makeDatabase()
  db = openDb({ connectionString: database.url }, 2, () => {})
  // Many finished deliveries, and none pending.
  await database.query(`
    INSERT INTO deliveries (delivery_id, event_id, lane, webhook_id, status, attempts, completed_at)
    SELECT gen_random_uuid(), gen_random_uuid(), hook, hook, 'delivered', '[{}]', now()
    FROM generate_series(1, 5000), (SELECT gen_random_uuid() AS hook) AS one`)
  // The same for transcripts.
  await database.query(`
    INSERT INTO transcripts (transcript_id, workspace_id, options, status, due_at, completed_at)
    SELECT gen_random_uuid(), workspace, '{}', 'completed', NULL, now()
    FROM generate_series(1, 5000), (SELECT gen_random_uuid() AS workspace) AS one`)
  await database.query('ANALYZE deliveries, transcripts')
})
afterAll(async () => {
  await db?.close()
  await database?.close()
})

const claim = { claimantId: 1, after: null, most: 64, mostPerLane: 64, ended: [] }
const lost = { claimantId: 1, held: [], mostPerLane: 64 }

const lookUp = (queries: Queries) =>
  answerStore(queries as Db, openVault('a secret for tests only')).find(Buffer.alloc(32))

const tables: JobTable[] = [deliveriesTable, callbacksTable, analysesTable, transcriptsTable]
const asked = tables.flatMap((table): [string, string, (queries: Queries) => Promise<unknown>][] => {
  const queue = queueOf(table)
  return [
    [table.table, 'claiming', (queries) => queue.claim(queries, claim)],
    [table.table, 'recovering', (queries) => queue.recover(queries, lost)],
    [table.table, 'looking for deadly ones', (queries) => queue.deadly(queries, lost, 3)],
    [table.table, 'giving back', (queries) => queue.release(queries, [])],
    [table.table, 'looking ahead', (queries) => queue.untilNext(queries)],
  ]
})

const settling = (['delivered', 'queued'] as const).map(
  (status) =>
    [
      'deliveries',
      `settling what is ${status}`,
      (queries: Queries) => settleDeliveries(queries, [endedDelivery(status)]),
    ] as const,
)

it.each([
  ...asked,
  ...settling,
  ['idempotent_answers', 'looking up', (queries: Queries) => lookUp(queries)] as const,
  ['deliveries', 'publishing', (queries: Queries) => publishEvents(queries, 64, claim)] as const,
  ['transcript_callbacks', 'settling', (queries: Queries) => settleCallbacks(queries, [])] as const,
])('%s: %s reads no unneeded rows', async (table, _, ask) => {
  const plan = await planOf(db, ask)
  expect(plan).toContain(table)
  expect(plan).not.toMatch(new RegExp(`Seq Scan on ${table}`))
  // A full index scan is no better.
  expect(plan).not.toMatch(new RegExp(`${table}\\w*_pkey on .*\\n(?!\\s+Index Cond)`))
})

it.each(settling)('%s: %s is written by id, not by scanning the queue', async (_table, _what, settle) => {
  const plan = await planOf(db, settle)
  expect(plan).toContain('deliveries_pkey')
  expect(plan).not.toContain('_lane')
})

it('whose events are due is looked up workspace by workspace, however many are due', async () => {
  const plan = await planOf(db, (queries) => publishEvents(queries, 64, claim))
  const scans = plan.match(/calls_to_tell_lane on .*\n.*\n/g) ?? []
  expect(scans.filter((scan) => scan.includes('Index Cond: ((ROW(workspace_id, due_at)'))).toHaveLength(2)
  expect(scans.filter((scan) => scan.includes('Index Cond: (due_at'))).toEqual([])
  // All that are due by age, and the workspace looked for in it.
  expect(plan).not.toMatch(/calls_to_tell_due on .*\n.*\n\s+Filter: \(workspace_id/)
})

it('no column of a busy table has a large statistics target', async () => {
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
     WHERE attnum > 0 AND (attrelid = ANY($1::regclass[])
         OR attrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = ANY($1::regclass[]))) AND NOT attisdropped
       AND coalesce(attstattarget, -1) NOT BETWEEN 0 AND 20`,
    [busy],
  )
  // A migration that adds one calls analyse_lightly().
  expect(greedy).toEqual([])
})
