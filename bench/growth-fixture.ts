// A service whose database has grown: the calls of a year and the events of a month, in the partitions they would be in.
import { join } from 'node:path'
import pg from 'pg'
import { newId } from '../server/src/platform/ids.ts'
import { addDays, type ExpiringLog } from '../server/src/platform/retention/expiring-log.ts'
import { prepareAhead } from '../server/src/platform/retention/partitions.ts'
import { callLog } from '../server/src/resources/calls/record/call-log.ts'
import { eventLog } from '../server/src/resources/webhooks/event-log.ts'
import { type BatchFixture, openBatchFixture } from './batch-fixture.ts'
import { workspaceId } from './service-process.ts'

const callDays = 365
const eventDays = 30
const atOnce = 100_000

export interface GrownFixture extends BatchFixture {
  readonly agentId: string
}

export type OnProgress = (text: string) => void

/**
 * Opens a service with so many calls, and as many events as a month of them has. A new installation has no partitions
 * by time yet.
 */
export async function openGrownFixture(
  { calls, isNew }: Pick<FillOptions, 'calls' | 'isNew'>,
  onProgress: OnProgress,
): Promise<GrownFixture> {
  const fixture = await openBatchFixture({ PARLEY_ROLES: 'api' })
  const agentId = await fixture.newAgent()
  const client = new pg.Client({
    host: join(fixture.home.dataDir, 'run'),
    user: 'parley',
    database: 'postgres',
  })
  await client.connect()
  await client.query(addWebhook, [newId(), workspaceId])
  await fill(fixture, client, { calls, isNew, agentId, onProgress })
  await client.end()
  return { ...fixture, agentId }
}

const addWebhook = `
  INSERT INTO webhooks (webhook_id, workspace_id, url, events, secret)
  VALUES ($1, $2, 'https://example.com/hook', '{call.completed}', '')`

interface FillOptions {
  readonly isNew: boolean
  readonly calls: number
  readonly agentId: string
  readonly onProgress: OnProgress
}

/** Fills the tables without triggers, and with the indexes made last. */
async function fill(fixture: BatchFixture, client: pg.Client, filling: FillOptions): Promise<void> {
  const { calls, isNew, agentId, onProgress } = filling
  const logs = [callLog(callDays), eventLog(eventDays)]
  if (!isNew) for (const log of logs) await partition(fixture, client, log)
  const tables = logs.flatMap((log) => log.tables.map(({ table }) => table))
  // Otherwise the database is busy with checkpoints.
  await client.query("ALTER SYSTEM SET max_wal_size = '16GB'")
  await client.query('SELECT pg_reload_conf()')
  await client.query(
    "SET session_replication_role = replica; SET maintenance_work_mem = '1GB'; SET synchronous_commit = off",
  )
  const { rows: indexes } = await client.query<{ name: string; made: string }>(
    `SELECT indexrelid::regclass::text AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS made
     FROM pg_index WHERE indrelid = ANY($1::regclass[]) AND NOT indisprimary`,
    [tables],
  )
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
  const events = Math.ceil((calls * eventDays) / callDays)
  for (const [what, count, days, insert] of [
    ['calls', calls, callDays, insertCalls],
    ['events', events, eventDays, insertEvents],
  ] as const)
    for (let from = 1; from <= count; from += atOnce) {
      const to = Math.min(count, from + atOnce - 1)
      await client.query(insert, [from, to, (days * 86_400) / count, workspaceId, agentId])
      onProgress(`${to.toLocaleString('en')} of ${count.toLocaleString('en')} ${what}`)
    }
  for (const { name, made } of indexes) {
    await client.query(made)
    onProgress(`index ${name}`)
  }
  for (const table of tables) await client.query(`VACUUM (ANALYZE) ${table}`)
}

/** Makes partitions as if the sweep had run for all the time: a first row makes the table old enough. */
async function partition({ db }: BatchFixture, client: pg.Client, log: ExpiringLog): Promise<void> {
  const [{ table, id }] = log.tables
  const begin = addDays(new Date(), -log.keepDays - 80)
  const first = [newId(begin.getTime()), workspaceId]
  await client.query(
    table === 'calls'
      ? 'INSERT INTO calls (session_id, workspace_id, agent_id) VALUES ($1, $2, $2)'
      : "INSERT INTO events (event_id, workspace_id, agent_id, type, payload) VALUES ($1, $2, $2, '', '')",
    first,
  )
  await prepareAhead(db, log, addDays(begin, 40).getTime())
  await prepareAhead(db, log)
  await client.query(`DELETE FROM ${table} WHERE ${id} = $1`, [first[0]])
}

// The nth newest row, with an id of its time. $3: seconds between two.
const ids = `
  ids AS MATERIALIZED (
    SELECT n, at, uuidv7(at - now()) AS id,
      '+' || (10000000000 + (n * 7919::bigint) % 89999999999) AS number
    FROM generate_series($1::int, $2::int) AS n,
      LATERAL (SELECT now() - n * $3::float8 * interval '1 second' AS at) AS moment)`

const insertCalls = `
  WITH ${ids}, made AS (
    INSERT INTO calls (session_id, workspace_id, agent_id, agent_version, call_status, call_type, to_phone_number,
      from_phone_number, provider, duration, call_initiated_time, call_completed_time, call_terminated_by, hangup_reason,
      transcript, latency, finished, counted, created_at, updated_at)
    SELECT id, $4, $5, 1, 'completed', 'outbound', number, '+4930901820', 'sip', n % 600, at, at, 'user', 'user_hangup',
      '[{"role":"agent","content":"Front desk, how can I help?"},{"role":"user","content":"I have a question."}]',
      '[{"turn":1,"total":640}]', true, true, at, at FROM ids
  ), live AS (
    INSERT INTO call_events (session_id, seq, type, data, at)
    SELECT id, 1, 'ended', '{"call_status":"completed"}', at FROM ids
  )
  INSERT INTO call_index (session_id, workspace_id, created_at, agent_id, call_type, call_status, hangup_reason, duration,
    answers_ms, terms)
  SELECT id, $4, at, $5, 'outbound', 'completed', 'user_hangup', n % 600, '{640}',
    array_to_tsvector(ARRAY['=w' || $4::uuid, '=a' || $5::uuid, '=scompleted', '=n' || number])
  FROM ids`

const insertEvents = `
  WITH ${ids}, made AS (
    INSERT INTO events (event_id, workspace_id, agent_id, type, payload, session_id, created_at)
    SELECT id, $4, $5, 'call.completed', '{"type":"call.completed","data":{"transcript":null}}', id, at FROM ids
  )
  INSERT INTO deliveries (delivery_id, event_id, lane, webhook_id, status, attempts, due_at, created_at, completed_at)
  SELECT id, id, webhook_id, webhook_id, 'delivered', '[{"http_status":200}]', at, at, at
  FROM ids, (SELECT webhook_id FROM webhooks LIMIT 1) AS hook`
