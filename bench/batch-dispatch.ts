// Claims: 500 calls of batches begin every second with every limit on, and a small batch does not wait for a large one.
import { setTimeout as sleep } from 'node:timers/promises'
import { statement } from '../server/src/platform/db.ts'
import { type BatchStage, noOpService, recipients, setBatchStage } from './batch-stage.ts'
import { median, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const many = 100_000
const few = 10
const leastPerSecond = 500
const mostSeconds = 5
const rounds = 5
const roundMs = 5_000
// The compiler has settled by then, and the tables have some thousand rows.
const warmUpMs = 8_000
const pollMs = 20

// Every limit is on, and the large batch has all the room that there is: the small one must get its share of it.
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

async function measure(): Promise<Row[]> {
  const stage = await setBatchStage(settings, noOpService)
  try {
    const agentId = await stage.newAgent()
    const large = await create(stage, agentId, many)
    await stage.post(`/batch-calls/${large}/execute`)
    await sleep(warmUpMs)
    const rates: number[] = []
    const waits: number[] = []
    for (let round = 0; round < rounds; round++) {
      rates.push(await callsPerSecond(stage))
      waits.push(await secondsToDial(stage, agentId))
    }
    return [rateRow(rates), fairnessRow(waits)]
  } finally {
    await stage.close()
  }
}

async function create(stage: BatchStage, agentId: string, count: number): Promise<string> {
  const body = { name: `${count}`, agent_id: agentId, recipients: recipients(count), ...limits }
  return (await stage.post('/batch-calls', JSON.stringify(body))).batch_id as string
}

async function callsPerSecond(stage: BatchStage): Promise<number> {
  const count = async () => (await stage.db.row<{ calls: number }>(begun))?.calls ?? 0
  const [before, startedAt] = [await count(), performance.now()]
  await sleep(roundMs)
  return ((await count()) - before) / ((performance.now() - startedAt) / 1000)
}

/** From the request to execute it until the last of its calls was begun. */
async function secondsToDial(stage: BatchStage, agentId: string): Promise<number> {
  const small = await create(stage, agentId, few)
  const startedAt = performance.now()
  await stage.post(`/batch-calls/${small}/execute`)
  while ((await stage.db.row<{ calls: number }>(dialled, [small]))?.calls !== few) await sleep(pollMs)
  return (performance.now() - startedAt) / 1000
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

await printIfMain(import.meta.url, measure)
