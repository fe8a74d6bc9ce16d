// Claims: batches start 500 calls per second with every limit on, a small batch does not wait for a large one, and a
// paused batch starts no call after a second.
import { setTimeout as sleep } from 'node:timers/promises'
import { statement } from '../server/src/platform/db/db.ts'
import { type BatchFixture, noOpService, openBatchFixture, recipients } from './batch-fixture.ts'
import { median, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const many = 100_000
const few = 10
const leastPerSecond = 500
const mostSeconds = 5
const mostPauseSeconds = 1
const rounds = 5
const roundMs = 5_000
// By then the JIT has settled, and the tables have a few thousand rows.
const warmUpMs = 8_000
const pollMs = 20
// A call that started too late would have shown up within this time.
const quietMs = 2_000

// Every limit is on, and the large batch uses all the capacity: the small one must get its share.
const atOnce = 400
const settings = {
  PARLEY_MEDIA_CAPACITY: String(atOnce),
  PARLEY_WORKSPACE_CONCURRENCY: String(atOnce),
  PARLEY_NUMBER_CONCURRENCY: String(atOnce),
  PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
  PARLEY_LOG_LEVEL: 'warn',
}
const limits = {
  from_phone_number: '+15550199',
  max_concurrency: atOnce,
  calling_window: { timezone: 'Europe/Paris', start_time: '00:00', end_time: '24:00' },
  retry_config: { max_retries: 1, retry_on: ['busy'], intervals_minutes: [5] },
}

const begun = statement('SELECT count(*)::int AS calls FROM calls WHERE call_initiated_time IS NOT NULL')
const dialled = statement(
  'SELECT count(*)::int AS calls FROM calls WHERE batch_id = $1 AND call_initiated_time IS NOT NULL',
)

const lastBegun = statement(`
  SELECT extract(epoch FROM max(call_initiated_time))::float8 AS seconds FROM calls WHERE batch_id = $1`)

async function measure(): Promise<Row[]> {
  const fixture = await openBatchFixture(settings, noOpService)
  try {
    const agentId = await fixture.newAgent()
    const large = await create(fixture, agentId, many)
    await fixture.post(`/batch-calls/${large}/execute`)
    await sleep(warmUpMs)
    const rates: number[] = []
    const waits: number[] = []
    const pauses: number[] = []
    for (let round = 0; round < rounds; round++) {
      rates.push(await callsPerSecond(fixture))
      waits.push(await secondsToDial(fixture, agentId))
      pauses.push(await secondsToPause(fixture, large))
    }
    return [rateRow(rates), fairnessRow(waits), pauseRow(pauses)]
  } finally {
    await fixture.close()
  }
}

async function create(fixture: BatchFixture, agentId: string, count: number): Promise<string> {
  const body = { name: `${count}`, agent_id: agentId, recipients: recipients(count), ...limits }
  return (await fixture.post('/batch-calls', JSON.stringify(body))).batch_id as string
}

async function callsPerSecond(fixture: BatchFixture): Promise<number> {
  const count = async () => (await fixture.db.row<{ calls: number }>(begun))?.calls ?? 0
  const [before, startedAt] = [await count(), performance.now()]
  await sleep(roundMs)
  return ((await count()) - before) / ((performance.now() - startedAt) / 1000)
}

/** The seconds from the request to execute a batch until its last call has started. */
async function secondsToDial(fixture: BatchFixture, agentId: string): Promise<number> {
  const small = await create(fixture, agentId, few)
  const startedAt = performance.now()
  await fixture.post(`/batch-calls/${small}/execute`)
  while ((await fixture.db.row<{ calls: number }>(dialled, [small]))?.calls !== few) await sleep(pollMs)
  return (performance.now() - startedAt) / 1000
}

/** The seconds from the request to pause a batch until its last call has started. */
async function secondsToPause(fixture: BatchFixture, batchId: string): Promise<number> {
  const askedAt = Date.now() / 1000
  await fixture.post(`/batch-calls/${batchId}/pause`)
  await sleep(quietMs)
  const last = await fixture.db.row<{ seconds: number }>(lastBegun, [batchId])
  await fixture.post(`/batch-calls/${batchId}/resume`)
  return Math.max(0, (last?.seconds ?? 0) - askedAt)
}

const rateRow = (rates: readonly number[]): Row => ({
  claim: `calls of a batch of ${many} begun, claimed and ended on a line that does nothing, limits of batch, workspace, number and hours on`,
  measured: `${spread(rates, (rate) => Math.round(rate).toString())} calls/s`,
  yardstick: 'none',
  ratio: '–',
  target: `≥ ${leastPerSecond}`,
  verdict: verdict(median(rates) >= leastPerSecond),
})

const fairnessRow = (waits: readonly number[]): Row => ({
  claim: `a batch of ${few} beside it, executed to all dialled`,
  measured: spread(waits, (seconds) => `${seconds.toFixed(2)} s`),
  yardstick: 'none',
  ratio: '–',
  target: `≤ ${mostSeconds} s`,
  verdict: verdict(Math.max(...waits) <= mostSeconds),
})

const pauseRow = (pauses: readonly number[]): Row => ({
  claim: 'the large one asked to pause, to the last of its calls that began',
  measured: spread(pauses, (seconds) => `${seconds.toFixed(2)} s`),
  yardstick: 'none',
  ratio: '–',
  target: `≤ ${mostPauseSeconds} s`,
  verdict: verdict(Math.max(...pauses) <= mostPauseSeconds),
})

await printIfMain(import.meta.url, measure)
