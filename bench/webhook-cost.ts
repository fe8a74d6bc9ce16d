// What one delivery costs the database: statements, rows, transactions, write-ahead log and processor time.
//   node bench/webhook-cost.ts --statements   also lists the statements that cost most
import { setTimeout as sleep } from 'node:timers/promises'
import { statement } from '../server/src/platform/db/db.ts'
import { killPostgres, postgresProcesses, whenGone } from './postgres-processes.ts'
import { statOf } from './proc-stat.ts'
import { median, spread } from './rounds.ts'
import { printIfMain, type Row } from './row.ts'
import { endCalls } from './webhook-calls.ts'
import { agentsOf, type Endpoint, type Fixture, openFixture } from './webhook-fixture.ts'
import { countingEndpoints, deliveriesPerSecond } from './webhook-throughput.ts'

const rounds = 3
const callsPerRound = 8_000
const manyEndpoints = 4
// The calls are written and the counters reset within this time.
const leadMs = 15_000
const pollMs = 50
// Longer than the last results take to be written on a busy machine.
const settleMs = 500
// USER_HZ: the kernel counts processor time in hundredths of a second.
const msPerTick = 10

interface Cost {
  readonly perSecond: number
  readonly statements: number
  readonly commits: number
  readonly walBytes: number
  readonly postgresMs: number
  readonly serviceMs: number
}

const preload = statement(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`)
const install = statement('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
const reset = statement('SELECT pg_stat_statements_reset()')

const counters = statement(`
  SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal,
    (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS commits,
    (SELECT sum(calls) FROM pg_stat_statements) AS statements`)

const last = statement(`
  SELECT count(*)::int AS delivered, extract(epoch FROM max(completed_at))::float8 * 1000 AS "lastMs"
  FROM deliveries WHERE created_at >= $1 AND status = 'delivered'`)

const expensive = statement(`
  SELECT calls, rows, wal_bytes::float8 AS wal, wal_records AS records, total_exec_time AS ms,
    regexp_replace(left(query, 110), '\\s+', ' ', 'g') AS query
  FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT 14`)

async function measure(): Promise<Row[]> {
  const fixture = await openFixture(manyEndpoints)
  try {
    // The counting library is only loaded by a server that starts with it.
    const first = await fixture.start()
    await fixture.db.rows(preload)
    await first.stop()
    await whenGone(killPostgres(fixture.home.dataDir))
    const service = await fixture.start()
    await fixture.db.rows(install)
    const endpoints = await countingEndpoints(fixture)
    await deliveriesPerSecond(fixture, endpoints)
    const costs: Cost[] = []
    for (let round = 0; round < rounds; round++)
      costs.push(await costOfRound(fixture, endpoints, service.pid))
    if (process.argv.includes('--statements')) console.table(await fixture.db.rows(expensive))
    return rowsOf(costs)
  } finally {
    await fixture.close()
  }
}

async function costOfRound(
  { db, home, sink }: Fixture,
  endpoints: readonly Endpoint[],
  pid: number,
): Promise<Cost> {
  const agentIds = agentsOf(endpoints)
  const countBefore = await sink.count()
  const dueAt = new Date(Date.now() + leadMs)
  await endCalls(db, agentIds, callsPerRound, dueAt)
  await db.rows(reset)
  await sleep(dueAt.getTime() - Date.now() - 100)
  const read = async () => {
    const row = await db.row<Record<string, string>>(counters)
    const postgres = postgresProcesses(home.dataDir)?.children ?? []
    return {
      wal: Number(row?.wal),
      commits: Number(row?.commits),
      statements: Number(row?.statements),
      postgresTicks: ticksOf(postgres),
      serviceTicks: ticksOf([pid]),
    }
  }
  const before = await read()
  // The receiver is polled, which costs the database nothing; the results are written soon after the last arrival.
  while ((await sink.count()) < countBefore + callsPerRound) await sleep(pollMs)
  await sleep(settleMs)
  const after = await read()
  const found = await db.row<{ delivered: number; lastMs: number }>(last, [dueAt])
  if (found?.delivered !== callsPerRound) throw new Error('not every delivery is recorded as delivered')
  // PostgreSQL's sessions report their counters at most once a second.
  await sleep(1_200)
  const { commits } = await read()
  return {
    perSecond: callsPerRound / ((found.lastMs - dueAt.getTime()) / 1000),
    statements: (after.statements - before.statements) / callsPerRound,
    commits: (commits - before.commits) / callsPerRound,
    walBytes: (after.wal - before.wal) / callsPerRound,
    postgresMs: ((after.postgresTicks - before.postgresTicks) * msPerTick) / callsPerRound,
    serviceMs: ((after.serviceTicks - before.serviceTicks) * msPerTick) / callsPerRound,
  }
}

const ticksOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (statOf(pid)?.ticks ?? 0), 0)

function rowsOf(costs: readonly Cost[]): Row[] {
  const row = (claim: string, of: (cost: Cost) => number, show: (value: number) => string): Row => ({
    claim,
    measured: spread(costs.map(of), show),
    yardstick: `at ${Math.round(median(costs.map(({ perSecond }) => perSecond)))} deliveries/s, 4 endpoints`,
    ratio: '–',
    target: 'none',
    verdict: 'no target',
  })
  return [
    row(
      'statements (each a round trip) per delivery',
      ({ statements }) => statements,
      (value) => value.toFixed(4),
    ),
    row(
      'commits per delivery',
      ({ commits }) => commits,
      (value) => value.toFixed(4),
    ),
    row(
      'write-ahead log per delivery',
      ({ walBytes }) => walBytes,
      (value) => `${Math.round(value)} bytes`,
    ),
    row(
      'processor time of PostgreSQL per delivery',
      ({ postgresMs }) => postgresMs * 1000,
      (value) => `${Math.round(value)} µs`,
    ),
    row(
      'processor time of the service per delivery',
      ({ serviceMs }) => serviceMs * 1000,
      (value) => `${Math.round(value)} µs`,
    ),
  ]
}

await printIfMain(import.meta.url, measure)
