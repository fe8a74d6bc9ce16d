// Claim: four worker processes on one database deliver and dial at least 3 times as much as one, as long as the machine has
// room. Beyond that, what is full is named.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Statement, statement } from '../server/src/platform/db/db.ts'
import { mediaProcess } from '../server/test/support/process.ts'
import { recipients } from './batch-fixture.ts'
import { bottleneckOf, type Saturation, type Shares, WaitSampler } from './bottleneck.ts'
import { postgresProcesses } from './postgres-processes.ts'
import { statOf } from './proc-stat.ts'
import { alternate, median, type Sample, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { answers, type Child, freePort, startNode } from './service-process.ts'
import { endCalls } from './webhook-calls.ts'
import { type Fixture, openFixture } from './webhook-fixture.ts'

const target = 3
const rounds = 3
const few = 1
const many = 4
// Each endpoint has a cap of 128: together more than four processes have under way.
const endpoints = 36
// A process has 1,024 deliveries under way, so each does about 250 a second: four fill less than the machine.
const receiverMs = 8_000
// The length of a conversation of two seconds: a process dials 50 a second.
const callMs = 2_000
const callsAtOnce = 100
// Longer than the slowest receiver takes, so that the window begins in the steady state.
const warmUpMs = 10_000
const windowMs = 10_000
// More calls than four processes handle until the window is over, and while they start one after the other.
const endedCalls = 25_000
const batchCalls = 10_000
const ticksPerSecond = 100
const lookEveryMs = 100
// The most that one process does in a second, with everything that it may have under way.
const mostDelivered = (1_024 * 1_000) / (receiverMs / 2)
const mostDialled = (callsAtOnce * 1_000) / callMs

const delivered = statement("SELECT count(*)::int AS n FROM deliveries WHERE status = 'delivered'")
const dialled = statement('SELECT count(*)::int AS n FROM calls WHERE call_initiated_time IS NOT NULL')
const forget = ['deliveries', 'calls_to_tell'].map((table) => statement(`DELETE FROM ${table}`))

const settings = {
  PARLEY_SECRET: 'a secret for measurements only',
  PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
  PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
  PARLEY_LOG_LEVEL: 'warn',
}

async function measure(): Promise<Row[]> {
  const fixture = await openFixture(endpoints, { ...settings, PARLEY_ROLES: 'api' })
  try {
    await fixture.start()
    const agentIds = await Promise.all(
      fixture.sink.origins.map(async (origin) => {
        const agentId = await fixture.newAgent()
        // The receiver takes any time up to this.
        await fixture.newEndpoint(`${origin}/moody/0/${receiverMs}`, agentId)
        return agentId
      }),
    )
    const found: Saturation[] = []
    const deliver = (processes: number) => async () => {
      await endCalls(fixture.db, agentIds, endedCalls)
      const rate = await ratePerSecond(fixture, processes, { ...deliveryWork, found })
      const sent = (await fixture.db.row<{ n: number }>(delivered))?.n ?? 0
      if (sent >= endedCalls) throw new Error('the backlog was over before the window was')
      for (const each of forget) await fixture.db.rows(each)
      await fixture.sink.forgetArrivals()
      return rate
    }
    const deliveries = await alternate(rounds, deliver(many), deliver(few))
    const ofDeliveries = found.splice(0)
    // Calls need no receiver.
    const silent = await fixture.newAgent()
    const dial = (processes: number) => async () => {
      const batchId = await startBatch(fixture, silent)
      const rate = await ratePerSecond(fixture, processes, { ...callWork, found })
      await fixture.post(`/batch-calls/${batchId}/cancel`)
      return rate
    }
    const calls = await alternate(rounds, dial(many), dial(few))
    return [
      rowOf(
        `deliveries to receivers that take up to ${receiverMs / 1000} s`,
        'deliveries/s',
        deliveries,
        ofDeliveries,
      ),
      rowOf(`calls of a batch, ${callsAtOnce} at once in a process`, 'calls/s', calls, found),
    ]
  } finally {
    await fixture.close()
  }
}

async function startBatch(fixture: Fixture, agentId: string): Promise<string> {
  const script = [
    { type: 'status', status: 'in-progress' },
    { type: 'wait', ms: callMs },
  ]
  const body = {
    name: 'Scale',
    agent_id: agentId,
    max_concurrency: many * callsAtOnce,
    recipients: recipients(batchCalls).map((one) => ({ ...one, metadata: { script } })),
  }
  const { batch_id = '' } = await fixture.post('/batch-calls', body)
  await fixture.post(`/batch-calls/${batch_id}/execute`)
  return batch_id
}

interface Work {
  readonly roles: string
  readonly counting: Statement
  /** The most that one process does. */
  readonly mostPerSecond: number
  /** The limits that held the many processes back. */
  readonly found: Saturation[]
}

const deliveryWork = { roles: 'worker', counting: delivered, mostPerSecond: mostDelivered }
const callWork = { roles: 'worker,media', counting: dialled, mostPerSecond: mostDialled }

/** The rate in the steady state of so many processes. */
async function ratePerSecond(
  fixture: Fixture,
  processes: number,
  { roles, counting, mostPerSecond, found }: Work,
): Promise<number> {
  const count = async () => (await fixture.db.row<{ n: number }>(counting))?.n ?? 0
  const workers: Child[] = []
  try {
    for (let nth = 0; nth < processes; nth++) workers.push(await startWorker(fixture, roles))
    await sleep(warmUpMs)
    const [before, used, startedAt] = [await count(), usedBy(fixture, workers), performance.now()]
    const waits = new WaitSampler()
    while (performance.now() < startedAt + windowMs) {
      await waits.look(fixture.db)
      await sleep(lookEveryMs)
    }
    const [after, usedNow, seconds] = [
      await count(),
      usedBy(fixture, workers),
      (performance.now() - startedAt) / 1000,
    ]
    const cores = (ticks: number) => ticks / (seconds * ticksPerSecond)
    const shareOf = (part: keyof Shares) =>
      cores(sum(usedNow[part]) - sum(used[part])) / availableParallelism()
    const perSecond = (after - before) / seconds
    if (processes === many)
      found.push({
        shares: {
          workers: shareOf('workers'),
          postgres: shareOf('postgres'),
          receiver: shareOf('receiver'),
        },
        perSecond,
        mostPerSecond: processes * mostPerSecond,
        busiest: Math.max(...usedNow.workers.map((ticks, nth) => cores(ticks - (used.workers[nth] ?? 0)))),
        waits: waits.ranked,
      })
    return perSecond
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()))
  }
}

async function startWorker({ home, sink }: Fixture, roles: string): Promise<Child> {
  const port = await freePort()
  const env = {
    ...settings,
    HOST: '127.0.0.1',
    PORT: String(port),
    PARLEY_DATA_DIR: home.dataDir,
    PARLEY_ROLES: roles,
    PARLEY_LOG_FORMAT: 'json',
    PARLEY_MEDIA_CAPACITY: String(callsAtOnce),
    PARLEY_WORKSPACE_CONCURRENCY: String(many * callsAtOnce),
    PARLEY_NUMBER_CONCURRENCY: String(many * callsAtOnce),
    PARLEY_DATABASE_CONNECTIONS: '12',
    NODE_EXTRA_CA_CERTS: sink.certificateFile,
    DATABASE_URL: `postgresql://parley@${encodeURIComponent(join(home.dataDir, 'run'))}/postgres`,
  }
  return startNode([mediaProcess], env, home.logFile, () => answers(`http://127.0.0.1:${port}/readyz`))
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)

/** CPU ticks so far, of each process. */
function usedBy({ home, sink }: Fixture, workers: readonly Child[]): Record<keyof Shares, number[]> {
  const ticks = (pids: readonly number[]) => pids.map((pid) => statOf(pid)?.ticks ?? 0)
  const found = postgresProcesses(home.dataDir)
  return {
    workers: ticks(workers.map(({ pid }) => pid)),
    postgres: ticks(found ? [found.postmaster, ...found.children] : []),
    receiver: ticks([sink.child.pid]),
  }
}

function rowOf(what: string, unit: string, samples: readonly Sample[], found: readonly Saturation[]): Row {
  const ratios = samples.map(({ ours, yardstick }) => ours / yardstick)
  const perSecond = (of: (sample: Sample) => number) =>
    spread(samples.map(of), (value) => Math.round(value).toString())
  const percent = (part: keyof Shares) =>
    `${Math.round(100 * median(found.map(({ shares }) => shares[part])))} %`
  return {
    claim: `${what}, ${many} processes`,
    measured: `${perSecond(({ ours }) => ours)} ${unit}; of the machine the workers used ${percent('workers')}, PostgreSQL ${percent('postgres')}, the receiver ${percent('receiver')}; held back by ${[...new Set(found.map(bottleneckOf))].join(', or ')}`,
    yardstick: `one process: ${perSecond(({ yardstick }) => yardstick)} ${unit}`,
    ratio: spread(ratios, (value) => value.toFixed(2)),
    target: `≥ ${target}`,
    verdict: verdict(median(ratios) >= target),
  }
}

await printIfMain(import.meta.url, measure)
