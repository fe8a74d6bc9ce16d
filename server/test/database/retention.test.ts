// Calls and events are partitioned by time beside the traffic, archived, and dropped when they have expired.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClaimant } from '../../src/platform/db/claim.ts'
import { type Db, openDb, type Queries, statement } from '../../src/platform/db/db.ts'
import { newId, timeOfId } from '../../src/platform/ids.ts'
import { Jobs } from '../../src/platform/jobs/jobs.ts'
import { queueOf } from '../../src/platform/jobs/statements.ts'
import { archiveFiles } from '../../src/platform/retention/archive-files.ts'
import {
  archivedUntil,
  listArchives,
  planArchives,
  releaseDays,
} from '../../src/platform/retention/archive-store.ts'
import { archiveJob } from '../../src/platform/retention/archive-worker.ts'
import { addDays, type ExpiringLog, lastId, startOfDay } from '../../src/platform/retention/expiring-log.ts'
import { keepLog } from '../../src/platform/retention/keep-log.ts'
import { partitionsOf, prepareAhead } from '../../src/platform/retention/partitions.ts'
import { openFileStorage } from '../../src/platform/storage/file-storage.ts'
import { callLog } from '../../src/resources/calls/record/call-log.ts'
import { deliveriesTable, settleDeliveries } from '../../src/resources/webhooks/backlog.ts'
import { eventLog } from '../../src/resources/webhooks/event-log.ts'
import { publishEvents } from '../../src/resources/webhooks/event-publisher.ts'
import { planOf } from '../support/database/plan-of.ts'
import { endedDelivery } from '../support/ended-delivery.ts'
import { makeDatabase, type TestDatabase } from '../support/service.ts'

const now = Date.now()
const today = startOfDay(now)
const daysAgo = (days: number) => addDays(today, -days).getTime() + 3_600_000
const workspace = newId()

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await makeDatabase()
  db = openDb({ connectionString: database.url }, 4, () => {})
})
afterAll(async () => {
  await db?.close()
  await database?.close()
})

/** An ended call with an event, an entry in the index and SIP messages. */
async function addCall(
  atMs: number,
  change: { finished?: boolean; recording?: string } = {},
): Promise<string> {
  const id = newId(atMs)
  await database.query(
    `INSERT INTO calls (session_id, workspace_id, agent_id, call_status, to_phone_number, finished, recording, created_at)
     VALUES ($1, $2, $2, 'completed', '+15550100', $3, $4, $5)`,
    [id, workspace, change.finished ?? true, change.recording ?? null, new Date(atMs)],
  )
  await database.query(
    `INSERT INTO call_events (session_id, seq, type, data) VALUES ($1, 1, 'status', '{"a":1}')`,
    [id],
  )
  await database.query(`INSERT INTO call_signalling (session_id, messages, left_out) VALUES ($1, '[]', 0)`, [
    id,
  ])
  return id
}

const names = async (log: ExpiringLog, table = 0) =>
  (await partitionsOf(db, log.tables[table] as (typeof log.tables)[0])).map(({ name }) => name)
const dated = (table: string, days: number) =>
  `${table}_${addDays(today, days).toISOString().slice(0, 10).replaceAll('-', '')}`
const count = async (table: string, id: string) =>
  (await database.query(`SELECT 1 FROM ${table} WHERE session_id = $1`, [id])).length
const parts = ['calls', 'call_events', 'call_index', 'call_signalling']
const countAll = async (id: string) => Promise.all(parts.map((table) => count(table, id)))

/** In partitions of three days, from 53 days ago on. */
const keepDays = 18
const log = callLog(keepDays)

it('a new installation has one partition for everything', async () => {
  await prepareAhead(db, log)
  expect(await names(log)).toEqual(['calls_first'])
  await addCall(now)
  await prepareAhead(db, log)
  expect(await names(log)).toEqual(['calls_first'])
})

it('one that has grown is partitioned while calls are written, and every row is found as before', async () => {
  const old = await addCall(daysAgo(70))
  // What is there now is from after the partitions that this test makes.
  await database.query('DELETE FROM calls WHERE session_id <> $1', [old])
  let isOver = false
  const writer = async () => {
    const written: string[] = []
    while (!isOver) written.push(await addCall(daysAgo(58)))
    return written
  }
  const writers = [writer(), writer()]
  await prepareAhead(db, log, daysAgo(60))
  await prepareAhead(db, log, now)
  isOver = true
  const written = (await Promise.all(writers)).flat()
  expect(await names(log)).toEqual([
    'calls_first',
    ...Array.from({ length: 20 }, (_, at) => dated('calls', 3 * at - 53)),
    'calls_default',
  ])
  expect(await names(log, 1)).toHaveLength(22)
  for (const id of [old, ...written]) expect(await countAll(id)).toEqual([1, 1, 1, 1])
  const moved = await database.query<{ at: string }>(
    'SELECT DISTINCT tableoid::regclass::text AS at FROM calls WHERE session_id = $1',
    [await addCall(daysAgo(4))],
  )
  expect(moved).toEqual([{ at: dated('calls', -5) }])
})

/** The connection of a worker that is killed before its n-th transaction. */
const killedBefore = (nth: number, to: Db): Db => {
  let begun = 0
  const transaction: Db['transaction'] = (run) =>
    ++begun < nth ? to.transaction(run) : Promise.reject(new Error('killed'))
  return { ...to, rows: to.rows.bind(to), row: to.row.bind(to), transaction }
}

const checks = (of: TestDatabase) =>
  of.query("SELECT conrelid::regclass::text FROM pg_constraint WHERE conname LIKE '%\\_until'")
const boundOf = async (of: Queries) => {
  const [first] = await partitionsOf(of, log.tables[0])
  return first?.to_id && new Date(timeOfId(first.to_id))
}

/** Runs in a database that has one partition for everything. */
async function unbounded(run: (own: TestDatabase, to: Db) => Promise<void>): Promise<void> {
  const own = await makeDatabase()
  const to = openDb({ connectionString: own.url }, 2, () => {})
  try {
    await run(own, to)
  } finally {
    await to.close()
    await own.close()
  }
}

const insertCall =
  'INSERT INTO calls (session_id, workspace_id, agent_id, finished) VALUES ($1, $2, $2, true)'
const announce = "SELECT announce_bound('calls', 'session_id', $1)"

it.each([
  { at: 'its first step', nth: 2 },
  { at: 'the last but one', nth: 6 },
])('a worker killed after $at leaves the bound to the next run', ({ nth }) =>
  unbounded(async (own, to) => {
    await own.query(insertCall, [newId(daysAgo(10)), workspace])
    await expect(prepareAhead(killedBefore(nth, to), log, now)).rejects.toThrow('killed')
    expect(await checks(own)).toHaveLength(4)
    // There is nothing left that would make a run begin with it.
    await own.query('DELETE FROM calls')
    await prepareAhead(to, log, addDays(new Date(now), 2).getTime())
    expect(await boundOf(to)).toEqual(addDays(today, 7))
    expect(await checks(own)).toEqual([])
  }),
)

it('a check that is left behind until its bound is near gives way to a later one', () =>
  unbounded(async (own, to) => {
    await own.query(announce, [addDays(new Date(now), 0.5)])
    await prepareAhead(to, log, now)
    expect(await boundOf(to)).toEqual(addDays(today, 7))
    expect(await checks(own)).toEqual([])
  }))

it('a check that rows have passed is withdrawn', () =>
  unbounded(async (own, to) => {
    await own.query(insertCall, ['ffffffff-0000-4000-8000-000000000000', workspace])
    await own.query(announce, [addDays(today, 3)])
    await prepareAhead(to, log, now)
    expect(await boundOf(to)).toBeNull()
    expect(await checks(own)).toEqual([])
  }))

it('a partition is made with what the default partition has caught for it', async () => {
  const early = await addCall(daysAgo(-10))
  const at = () =>
    database.query('SELECT tableoid::regclass::text AS at FROM calls WHERE session_id = $1', [early])
  expect(await at()).toEqual([{ at: 'calls_default' }])
  await prepareAhead(db, log, daysAgo(-5))
  expect(await at()).toEqual([{ at: dated('calls', 10) }])
  expect(await countAll(early)).toEqual([1, 1, 1, 1])
})

it('expired partitions are dropped, except what is still needed', async () => {
  const [gone, running, recorded, kept] = [
    await addCall(daysAgo(49)),
    await addCall(daysAgo(46), { finished: false }),
    await addCall(daysAgo(43), { recording: '{}' }),
    await addCall(daysAgo(19)),
  ]
  await keepLog(db, log, lastId)
  expect(await countAll(gone)).toEqual([0, 0, 0, 0])
  for (const id of [running, recorded, kept]) expect(await count('calls', id)).toBe(1)
  const left = await names(log)
  expect(left).not.toContain('calls_first')
  expect(left.slice(0, 3)).toEqual([dated('calls', -47), dated('calls', -44), dated('calls', -20)])

  await database.query('UPDATE calls SET finished = true, recording = NULL WHERE session_id = ANY($1)', [
    [running, recorded],
  ])
  await database.query('DELETE FROM calls_to_tell')
  await keepLog(db, log, lastId)
  expect((await names(log))[0]).toBe(dated('calls', -20))
})

/** Calls of today, each written and read, until it is over. */
function writing() {
  let isOver = false
  const write = async () => {
    const written: string[] = []
    do {
      const id = await addCall(now)
      expect(await count('calls', id)).toBe(1)
      written.push(id)
    } while (!isOver)
    return written
  }
  const writers = [write(), write()]
  return {
    async stop() {
      isOver = true
      return (await Promise.all(writers)).flat()
    },
  }
}

/** The sweep on the day on which the partition that begins on this day has expired; what is left then. */
async function sweepAfter(days: number): Promise<string[]> {
  await keepLog(db, log, lastId, addDays(today, days + 3 + keepDays).getTime())
  return names(log)
}

it.each([
  { by: 'by its own name', days: -20, from: dated('calls', -20) },
  { by: 'by way of its table', days: -17, from: 'calls' },
])(
  'a partition that is being read $by is left to the next sweep, and calls are written',
  async ({ days, from }) => {
    const old = await addCall(addDays(today, days + 1).getTime())
    const [isReading, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const reader = db.transaction(async (tx) => {
      await tx.rows(statement(`SELECT 1 FROM ${from} WHERE session_id = $1`), [old])
      isReading.resolve()
      await mayEnd.promise
    })
    await isReading.promise
    const traffic = writing()
    // A sweep that did not give up would wait for the reader, who waits for this test, and every call would wait
    // behind it.
    expect(await sweepAfter(days)).toContain(dated('calls', days))
    const written = await traffic.stop()
    for (const id of [old, ...written, await addCall(now)]) expect(await countAll(id)).toEqual([1, 1, 1, 1])
    mayEnd.resolve()
    await reader
    await expect.poll(() => sweepAfter(days)).not.toContain(dated('calls', days))
    expect(await countAll(old)).toEqual([0, 0, 0, 0])
  },
)

it('no call that is written while a partition is dropped is lost', async () => {
  const [old, next] = [await addCall(daysAgo(13)), await addCall(daysAgo(10))]
  const traffic = writing()
  await expect.poll(() => sweepAfter(-14)).not.toContain(dated('calls', -14))
  const written = await traffic.stop()
  expect(await countAll(old)).toEqual([0, 0, 0, 0])
  for (const id of [next, ...written]) expect(await countAll(id)).toEqual([1, 1, 1, 1])
})

it('what is in no dated partition is deleted row by row, with everything that belongs to it', async () => {
  const strange = 'ffffffff-0000-4000-8000-000000000000'
  await database.query(
    `INSERT INTO calls (session_id, workspace_id, agent_id, finished, created_at)
     VALUES ($1, $2, $2, true, now() - interval '19 days')`,
    [strange, workspace],
  )
  expect(await count('call_index', strange)).toBe(1)
  await keepLog(db, log, lastId)
  expect(await countAll(strange)).toEqual([0, 0, 0, 0])
})

const events = eventLog(keepDays)

async function addEvent(atMs: number, status: string): Promise<string> {
  const [event, delivery] = [newId(atMs), newId(atMs)]
  await database.query(
    `INSERT INTO events (event_id, workspace_id, agent_id, type, payload, created_at)
     VALUES ($1, $2, $2, 'call.completed', '{}', $3)`,
    [event, workspace, new Date(atMs)],
  )
  await database.query(
    `INSERT INTO deliveries (delivery_id, event_id, lane, webhook_id, status, attempts, created_at, due_at)
     VALUES ($1, $2, $3, $3, $4, '[{"status":200}]', $5, $5)`,
    [delivery, event, workspace, status, new Date(atMs)],
  )
  return event
}

it('an event whose delivery waits is kept with its partition', async () => {
  await addEvent(daysAgo(70), 'delivered')
  await prepareAhead(db, events, daysAgo(60))
  await prepareAhead(db, events, now)
  await addEvent(daysAgo(49), 'delivered')
  const waiting = await addEvent(daysAgo(46), 'queued')
  await keepLog(db, events, lastId)
  expect((await names(events)).slice(0, 2)).toEqual([dated('events', -47), dated('events', -20)])
  expect((await names(events, 1)).slice(0, 2)).toEqual([dated('deliveries', -47), dated('deliveries', -20)])
  await database.query("UPDATE deliveries SET status = 'delivered' WHERE event_id = $1", [waiting])
  await keepLog(db, events, lastId)
  expect((await names(events))[0]).toBe(dated('events', -20))
})

it('the queue is served by its indexes however many partitions there are', async () => {
  const claim = { claimantId: 1, after: null, most: 64, mostPerLane: 64, ended: [] }
  const asked: ((queries: Queries) => Promise<unknown>)[] = [
    (queries) => queueOf(deliveriesTable).claim(queries, claim),
    (queries) => settleDeliveries(queries, [endedDelivery('delivered')]),
    (queries) => settleDeliveries(queries, [endedDelivery('queued')]),
    (queries) => publishEvents(queries, 64, claim),
  ]
  for (const ask of asked)
    expect(await planOf(db, ask)).not.toMatch(/Seq Scan on (deliveries|events|calls)_2/)
})

it('a claim takes a row of its own partition only', async () => {
  await database.query('DELETE FROM deliveries')
  for (const [days, status] of [
    [12, 'delivered'],
    [8, 'queued'],
    [3, 'delivered'],
  ] as const)
    await addEvent(daysAgo(days), status)
  const claimed = await queueOf(deliveriesTable).claim(db, {
    claimantId: 1,
    after: null,
    most: 9,
    mostPerLane: 9,
    ended: [],
  })
  expect(claimed).toHaveLength(1)
  expect(await database.query('SELECT status FROM deliveries WHERE claimed_by = 1')).toEqual([
    { status: 'queued' },
  ])
})

it('what is to be archived is archived day by day, and not dropped before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-archive-'))
  const files = await openFileStorage(folder)
  const claimant = await openClaimant({ connectionString: database.url }, () => {})
  const later = addDays(new Date(now), keepDays + 3).getTime()
  await database.query('DELETE FROM calls')
  const [first, second, third] = [
    await addCall(daysAgo(5)),
    await addCall(daysAgo(5) + 1000),
    await addCall(daysAgo(2)),
  ]
  await planArchives(db, log, later)
  expect(await keepLog(db, log, await archivedUntil(db, 'calls'), later)).toBe(false)
  expect(await count('calls', first)).toBe(1)

  let isAway = true
  const storage = {
    ...files,
    take: (name: string, file: string) =>
      isAway ? Promise.reject(new Error('the store is away')) : files.take(name, file),
  }
  const jobs = new Jobs({ db, log: pino({ level: 'silent' }), claimant })
  await jobs.start(archiveJob({ db, logs: [log, events], storage, folder }))
  const days = () => listArchives(db, 'calls', 10)
  await expect.poll(async () => (await days()).some(({ error }) => error === 'the store is away')).toBe(true)
  isAway = false
  await database.query('UPDATE archives SET due_at = now()')
  jobs.wake()
  await expect.poll(async () => (await days()).every(({ completed_at }) => completed_at)).toBe(true)
  await jobs.stop()
  await claimant.close()

  const written = await days()
  expect(written.map(({ records, error }) => ({ records, error }))).toEqual([
    { records: '1', error: null },
    { records: '2', error: null },
  ])
  expect((await readdir(folder)).toSorted()).toEqual(written.map(({ file }) => file).toSorted())
  const lines = gunzipSync(await readFile(join(folder, written[1]?.file ?? '')))
    .toString()
    .trim()
    .split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      call: { session_id: first, to_phone_number: '+15550100' },
      events: [{ seq: 1, type: 'status' }],
      sip_messages: [],
    },
    { call: { session_id: second } },
  ])
  expect(lines[0]).not.toContain('join_token')

  // Two processes each erase another caller from the same file.
  const archive = archiveFiles({ db, openStorage: async () => files, folder })
  const [day] = await archive.list('calls')
  const counts: number[] = []
  const remove = (id: string) =>
    archive.remove(
      day ?? expect.fail('no file'),
      async (some) => some.map((line) => line.includes(id)),
      async (_, gone) => counts.push(gone),
    )
  await Promise.all([remove(first), remove(second), remove(third)])
  expect(counts).toEqual([1, 1])
  expect((await days())[1]?.records).toBe('0')
  expect(gunzipSync(await readFile(join(folder, day?.file ?? ''))).toString()).toBe('')
  expect(await readdir(folder)).toHaveLength(2)

  // An erasure waits for a day that is being written, but not for a process that died when days are no longer written.
  await database.query(
    "INSERT INTO archives (archive_id, log, day, claimed_by) VALUES (gen_random_uuid(), 'calls', '2001-01-01', 7)",
  )
  expect(await archive.isBeingWritten()).toBe(true)
  await releaseDays(db)
  expect(await archive.isBeingWritten()).toBe(false)
  await database.query("DELETE FROM archives WHERE day = '2001-01-01'")

  await keepLog(db, log, await archivedUntil(db, 'calls'), later)
  expect(await Promise.all([first, second, third].map((id) => count('calls', id)))).toEqual([0, 0, 1])
  await rm(folder, { recursive: true })
})
