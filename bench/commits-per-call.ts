// Counts what a call costs PostgreSQL, from the recipient of a batch to the delivered event: transactions that write,
// and bytes of its log. The line does nothing, so what a conversation adds is left out: its events are written ten
// times a second, for all calls of a process together.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { statement } from '../server/src/platform/db/db.ts'
import { type BatchFixture, noOpService, openBatchFixture, recipients } from './batch-fixture.ts'
import { printIfMain, type Row } from './row.ts'

const settings = {
  PARLEY_MEDIA_CAPACITY: '400',
  PARLEY_WORKSPACE_CONCURRENCY: '400',
  PARLEY_NUMBER_CONCURRENCY: '400',
  PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
  PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
  PARLEY_LOG_LEVEL: 'warn',
}
const pollMs = 100
const idleMs = 5_000

// Only transactions that write have an id.
const counters = statement(`
  SELECT pg_snapshot_xmax(pg_current_snapshot())::text::float8 AS commits,
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`)

interface Counters {
  readonly commits: number
  readonly bytes: number
}

const countersOf = async ({ db }: BatchFixture): Promise<Counters> =>
  (await db.row<Counters>(counters)) ?? { commits: 0, bytes: 0 }

/** Answers 200 to everything. */
async function openSink() {
  let received = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received++
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, received: () => received, close: () => server.closeAllConnections() ?? server.close() }
}

/** Commits and bytes of the log per call, with what the service does meanwhile anyway. */
async function perCall(
  fixture: BatchFixture,
  agentId: string,
  { calls, atOnce }: { readonly calls: number; readonly atOnce: number },
  received: () => number,
): Promise<Counters> {
  const body = { name: 'calls', agent_id: agentId, recipients: recipients(calls), max_concurrency: atOnce }
  const { batch_id } = await fixture.post('/batch-calls', JSON.stringify(body))
  const [before, delivered] = [await countersOf(fixture), received()]
  await fixture.post(`/batch-calls/${batch_id}/execute`)
  while (received() < delivered + calls) await sleep(pollMs)
  const after = await countersOf(fixture)
  const each = (of: keyof Counters) => (after[of] - before[of]) / calls
  return { commits: each('commits'), bytes: each('bytes') }
}

async function measure(): Promise<Row[]> {
  const fixture = await openBatchFixture(settings, noOpService)
  const sink = await openSink()
  try {
    const agentId = await fixture.newAgent()
    await fixture.post('/webhooks', JSON.stringify({ url: sink.url, events: ['call.completed'] }))
    const [begin, startedAt] = [await countersOf(fixture), performance.now()]
    await sleep(idleMs)
    const end = await countersOf(fixture)
    const idlePerSecond = (end.commits - begin.commits) / ((performance.now() - startedAt) / 1000)
    const rows: Row[] = []
    for (const load of [
      { calls: 50, atOnce: 1 },
      { calls: 2_000, atOnce: 400 },
    ]) {
      const { commits, bytes } = await perCall(fixture, agentId, load, sink.received)
      rows.push({
        claim: `what a call of a batch with its webhook event costs PostgreSQL, ${load.atOnce} at once`,
        measured: `${commits.toFixed(2)} commits, ${(bytes / 1024).toFixed(1)} kB of log`,
        yardstick: `idle: ${idlePerSecond.toFixed(1)} commits/s`,
        ratio: '–',
        target: 'none',
        verdict: 'no target',
      })
    }
    return rows
  } finally {
    sink.close()
    await fixture.close()
  }
}

await printIfMain(import.meta.url, measure)
