// Whatever the kind of job: a workspace with a thousand of them does not keep another's single one waiting.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { newId } from '../../src/platform/ids.ts'
import type { JobTable } from '../../src/platform/jobs/job.ts'
import { queueOf, servedLast } from '../../src/platform/jobs/statements.ts'
import { startFeeder } from '../../src/resources/batches/feeder.ts'
import { erasuresTable } from '../../src/resources/callers/erasure-store.ts'
import { analysesTable } from '../../src/resources/calls/record/analysis-worker.ts'
import { documentsTable } from '../../src/resources/knowledge-base/index-store.ts'
import { warmUpsTable } from '../../src/resources/speech-cache/store.ts'
import { transcriptsTable } from '../../src/resources/transcripts/backlog.ts'
import { callbacksTable } from '../../src/resources/transcripts/callback-worker.ts'
import { deliveriesTable } from '../../src/resources/webhooks/backlog.ts'
import { publishEvents } from '../../src/resources/webhooks/event-publisher.ts'
import { openCallFixture } from '../support/call-fixture.ts'
import { readIfThere } from '../support/read-if-there.ts'
import { makeDatabase, type TestDatabase } from '../support/service.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await makeDatabase()
  db = openDb({ connectionString: database.url }, 2, () => {})
})
afterAll(async () => {
  await db?.close()
  await database?.close()
})

/** Jobs of a workspace ($1), as many as $2, due since $3: in a hundred lanes where a workspace may have several. */
const kinds: [table: JobTable, insert: string][] = [
  [
    deliveriesTable,
    `WITH hooks AS (
       INSERT INTO webhooks (webhook_id, workspace_id, url, events, secret)
       SELECT gen_random_uuid(), $1, 'https://example.com', '{}', '' FROM generate_series(1, least($2, 100)) RETURNING webhook_id
     ), numbered AS (SELECT webhook_id, row_number() OVER () AS nth FROM hooks
     ), told AS (
       INSERT INTO events (event_id, workspace_id, agent_id, type, payload)
       SELECT new_id(), $1, $1, 'call.completed', '{}' FROM generate_series(1, $2) RETURNING event_id
     )
     INSERT INTO deliveries (delivery_id, event_id, lane, webhook_id, due_at)
     SELECT new_id(), event_id, webhook_id, webhook_id, $3
     FROM (SELECT event_id, (row_number() OVER () - 1) % 100 + 1 AS nth FROM told) AS t JOIN numbered USING (nth)`,
  ],
  [
    callbacksTable,
    `INSERT INTO transcript_callbacks (delivery_id, transcript_id, workspace_id, url, lane, payload, due_at)
     SELECT new_id(), $1, $1, '', $1::uuid || ' host' || n % 100, '{}', $3 FROM generate_series(1, $2) AS n`,
  ],
  [
    transcriptsTable,
    `INSERT INTO transcripts (transcript_id, workspace_id, options, due_at)
     SELECT new_id(), $1, '{}', $3 FROM generate_series(1, $2)`,
  ],
  [
    analysesTable,
    `WITH made AS (
       INSERT INTO calls (session_id, workspace_id, agent_id) SELECT new_id(), $1, $1 FROM generate_series(1, $2)
       RETURNING session_id
     )
     INSERT INTO calls_to_analyse (session_id, workspace_id, due_at) SELECT session_id, $1, $3 FROM made`,
  ],
  [
    documentsTable,
    `WITH shelves AS (
       INSERT INTO knowledge_repositories (repository_id, workspace_id, name, language, chunk_size, chunk_overlap, top_k)
       SELECT gen_random_uuid(), $1, '', 'en', 1, 0, 1 FROM generate_series(1, least($2, 100)) RETURNING repository_id
     ), numbered AS (SELECT repository_id, row_number() OVER () AS nth FROM shelves)
     INSERT INTO knowledge_documents (document_id, repository_id, kind, title, has_title, due_at)
     SELECT new_id(), repository_id, 'text', '', true, $3 FROM generate_series(1, $2) AS n JOIN numbered ON nth = (n - 1) % 100 + 1`,
  ],
  [
    erasuresTable,
    `INSERT INTO erasures (erasure_id, workspace_id, caller, due_at)
     SELECT new_id(), $1, '', $3 FROM generate_series(1, $2)`,
  ],
  [
    warmUpsTable,
    `WITH made AS (
       INSERT INTO agents (agent_id, workspace_id, status, config) SELECT new_id(), $1, 'active', '{}'
       FROM generate_series(1, $2) RETURNING agent_id
     )
     INSERT INTO speech_warm_ups (agent_id, workspace_id, due_at) SELECT agent_id, $1, $3 FROM made`,
  ],
]

/** Jobs of the operator, and those of which a workspace has one. */
const withoutNeighbours = ['archives', 'workspace_deletions']

// As few as become free at a time while everything is busy.
const room = 4

it.each(kinds.map(([table, insert]) => [table.table, table, insert] as const))(
  '%s: a single job is served within two claims',
  async (_, table, insert) => {
    const [noisy, quiet] = [newId(), newId()]
    await database.query(insert, [noisy, 1000, new Date(Date.now() - 60_000)])
    await database.query(insert, [quiet, 1, new Date(Date.now() - 1_000)])
    const queue = queueOf<object>(table)
    const order: string[] = []
    for (let after: string | null = null; order.length < 5 * room; ) {
      const claimed = await queue.claim(db, { claimantId: 1, after, most: room, mostPerLane: 64, ended: [] })
      expect(claimed.length).toBeGreaterThan(0)
      order.push(...claimed.map(({ job_tenant }) => job_tenant))
      after = servedLast(claimed, after)
      await database.query(`DELETE FROM ${table.table} WHERE claimed_by IS NOT NULL`)
    }
    expect(order.filter((tenant) => tenant === quiet)).toHaveLength(1)
    expect(order.indexOf(quiet)).toBeLessThan(2 * room)
  },
)

/** Ended calls of a workspace whose events are due. */
async function endCalls(workspace: string, calls: number, dueAt: Date): Promise<void> {
  await database.query(
    `INSERT INTO calls (session_id, workspace_id, agent_id, tell_at) SELECT new_id(), $1, $1, $3 FROM generate_series(1, $2)`,
    [workspace, calls, dueAt],
  )
  await database.query(
    "UPDATE calls SET finished = true, call_status = 'completed', duration = 1 WHERE workspace_id = $1",
    [workspace],
  )
}

const published = async (): Promise<string[]> =>
  (await database.query<{ workspace_id: string }>('SELECT workspace_id FROM events ORDER BY event_id')).map(
    ({ workspace_id }) => workspace_id,
  )
const publishing = { claimantId: 1, most: 0, mostPerLane: 64, ended: [] }

it('calls_to_tell: a single event is published by the first statement, which is full all the same', async () => {
  await database.query('DELETE FROM events; DELETE FROM calls_to_tell')
  const [noisy, quiet] = [newId(), newId()]
  await endCalls(noisy, 100, new Date(Date.now() - 60_000))
  await endCalls(quiet, 1, new Date(Date.now() - 1_000))
  await publishEvents(db, room, { ...publishing, after: null })
  const workspaces = await published()
  expect(workspaces).toHaveLength(room)
  expect(workspaces.filter((workspace) => workspace === quiet)).toHaveLength(1)
})

it('calls_to_tell: of more workspaces than one statement serves, each has its turn', async () => {
  await database.query('DELETE FROM events; DELETE FROM calls_to_tell')
  const workspaces = Array.from({ length: 3 * room }, () => newId())
  for (const [nth, workspace] of workspaces.entries())
    await endCalls(workspace, 10, new Date(Date.now() - 60_000 * (nth + 1)))
  let after: string | null = null
  for (let statements = 0; statements < 3; statements++)
    after = (await publishEvents(db, room, { ...publishing, after })).lastWorkspace
  expect((await published()).toSorted()).toEqual(workspaces.toSorted())
})

it('calls_to_tell: what fits into one statement is published at once, and nothing before it is due', async () => {
  await database.query('DELETE FROM events; DELETE FROM calls_to_tell')
  const [one, later] = [newId(), newId()]
  await endCalls(one, room, new Date(Date.now() - 60_000))
  await endCalls(later, 1, new Date(Date.now() + 60_000))
  expect((await publishEvents(db, room, { ...publishing, after: null })).calls).toBe(room)
  expect(await database.query('SELECT workspace_id FROM calls_to_tell')).toEqual([{ workspace_id: later }])
})

/** The id of a running batch of a workspace, with an agent of its own. */
async function startBatch(to: TestDatabase, workspace: string, recipients: number): Promise<string> {
  const batch = newId()
  await to.query(
    `WITH agent AS (
       INSERT INTO agents (agent_id, workspace_id, status, config)
       VALUES (new_id(), $2, 'active', '{"agent_name":"Ada","llm_agent":{}}') RETURNING agent_id
     ), called AS (
       INSERT INTO batch_recipients (batch_id, place, recipient_id, to_phone_number, timezone)
       SELECT $1, place, place, '+15550100', '' FROM generate_series(1, $3) AS place
     )
     INSERT INTO batches (batch_id, workspace_id, agent_id, name, status, zones, recipient_count)
     SELECT $1, $2, agent_id, '', 'in_progress', '{""}', $3 FROM agent`,
    [batch, workspace, recipients],
  )
  return batch
}

const callsOf = async (to: TestDatabase, batch: string): Promise<number> =>
  (await to.query('SELECT 1 FROM calls WHERE batch_id = $1', [batch])).length

it('batches: recipients of a small one become calls in turn with those of a huge one that came first', async () => {
  const [noisy, quiet] = [newId(), newId()]
  const perWorkspace = 1_000
  const huge = await startBatch(database, noisy, 10 * perWorkspace)
  await startBatch(database, quiet, 5)
  const feeder = startFeeder({ db, log: pino({ level: 'silent' }), perWorkspace })
  await expect.poll(() => callsOf(database, huge)).toBe(perWorkspace)
  await feeder.stop()
  const made = await database.query<{ workspace_id: string }>(
    'SELECT workspace_id FROM calls WHERE batch_id IS NOT NULL ORDER BY session_id',
  )
  const order = made.map(({ workspace_id }) => workspace_id)
  expect(order.filter((workspace) => workspace === quiet)).toHaveLength(5)
  expect(order.lastIndexOf(quiet)).toBeLessThan(perWorkspace / 2)
})

it('batches: calls of a small one are run in turn with those of a huge one that wait already', async () => {
  const limits = { PARLEY_WORKSPACE_CONCURRENCY: '50' }
  const fixture = await openCallFixture()
  onTestFinished(() => fixture.close())
  await fixture.api(limits)
  const { runner } = await fixture.media(limits, room)
  const gate = Promise.withResolvers<void>()
  runner.mayEnd = gate.promise
  const [noisy, quiet] = [newId(), newId()]
  const huge = await startBatch(fixture.database, noisy, 500)
  await expect.poll(() => callsOf(fixture.database, huge)).toBe(50)
  await expect.poll(() => runner.live.size).toBe(room)
  const recipients = 8
  const small = await startBatch(fixture.database, quiet, recipients)
  await expect.poll(() => callsOf(fixture.database, small)).toBe(recipients)
  gate.resolve()
  const order = () => runner.plans.slice(room).map(({ workspaceId }) => workspaceId)
  const ofQuiet = () => order().filter((workspace) => workspace === quiet)
  await expect.poll(() => ofQuiet().length).toBe(recipients)
  // The two workspaces take turns, though places that become free together are shared in any order.
  expect(order().lastIndexOf(quiet)).toBeLessThan(2 * recipients + room)
  expect(order().slice(0, room)).toContain(noisy)
})

it('these are all kinds of jobs', async () => {
  const folder = fileURLToPath(new URL('../../src/', import.meta.url))
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const texts = files.map((name) => readIfThere(join(folder, name))?.toString() ?? '')
  const found = texts.flatMap((text) => [
    ...text.matchAll(/JobTable[^;]*?\n {2}table: '(\w+)'|\n {2}table: '(\w+)',\n {2}id:/g),
  ])
  const named = new Set(found.map(([, one, other]) => one ?? other))
  expect([...named].toSorted()).toEqual(
    [...kinds.map(([{ table }]) => table), ...withoutNeighbours].toSorted(),
  )
})
