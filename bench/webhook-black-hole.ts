// Claim: an endpoint that never answers, with a thousand deliveries waiting for it, delays the others by at most 50 ms.
import { setTimeout as sleep } from 'node:timers/promises'
import { statement } from '../server/src/platform/db/db.ts'
import { median, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { endCalls, endCallsSteadily } from './webhook-calls.ts'
import { agentsOf, type Endpoint, type Fixture, openFixture } from './webhook-fixture.ts'
import { latenciesSince, percentile, whenFinished } from './webhook-latency.ts'

const targetMs = 50
const rounds = 3
const healthyEndpoints = 3
// A busy installation, but far from its limits: only the black hole should matter.
const perSecond = 200
// Shorter than the timeout of an attempt at the black hole, so that its lane stays full all the time.
const roundSeconds = 8
const waitingForTheHole = 1_000
const finishTimeoutMs = 60_000
const pollMs = 50

const sending = statement(
  `SELECT count(*)::int AS many FROM deliveries WHERE webhook_id = $1 AND status = 'queued' AND claimed_by IS NOT NULL`,
)

async function measure(): Promise<Row[]> {
  const fixture = await openFixture(healthyEndpoints + 1)
  try {
    await fixture.start()
    const endpoints = await Promise.all(
      fixture.sink.origins
        .slice(0, healthyEndpoints)
        .map(async (origin) => fixture.newEndpoint(`${origin}/note`, await fixture.newAgent())),
    )
    await p95(fixture, endpoints)
    const [without, beside]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      without.push(await p95(fixture, endpoints))
      const hole = await dig(fixture)
      beside.push(await p95(fixture, endpoints))
      await fill(fixture, hole)
    }
    return [rowOf(without, beside)]
  } finally {
    await fixture.close()
  }
}

async function p95(fixture: Fixture, endpoints: readonly Endpoint[]): Promise<number> {
  await fixture.sink.forgetArrivals()
  const since = new Date()
  await endCallsSteadily(fixture.db, agentsOf(endpoints), perSecond, roundSeconds)
  await whenFinished(fixture.db, endpoints, finishTimeoutMs)
  return percentile(await latenciesSince(fixture, endpoints, since), 95)
}

/** A black hole with a full lane, and a thousand deliveries waiting. */
async function dig(fixture: Fixture): Promise<Endpoint> {
  const agentId = await fixture.newAgent()
  const hole = await fixture.newEndpoint(`${fixture.sink.origins[healthyEndpoints]}/hole`, agentId)
  await endCalls(fixture.db, [agentId], waitingForTheHole)
  await until(async () => (await heldBy(fixture, hole)) > 0)
  return hole
}

/** Deleting the endpoint cancels what is waiting; attempts in progress time out. */
async function fill(fixture: Fixture, hole: Endpoint): Promise<void> {
  await fixture.removeEndpoint(hole)
  await until(async () => (await heldBy(fixture, hole)) === 0)
}

const heldBy = async ({ db }: Fixture, { webhookId }: Endpoint): Promise<number> =>
  (await db.row<{ many: number }>(sending, [webhookId]))?.many ?? 0

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + finishTimeoutMs
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error('the black hole neither fills nor empties')
    await sleep(pollMs)
  }
}

function rowOf(without: readonly number[], beside: readonly number[]): Row {
  const ms = (value: number) => value.toFixed(1)
  const worse = beside.map((value, round) => value - (without[round] ?? Number.NaN))
  return {
    claim: `p95 of due to first byte, beside a black hole with ${waitingForTheHole} waiting`,
    measured: `${spread(beside, ms)} ms`,
    yardstick: `without it: ${spread(without, ms)} ms`,
    ratio: `${spread(worse, ms)} ms later`,
    target: `≤ ${targetMs} ms later`,
    verdict: verdict(median(worse) <= targetMs),
  }
}

await printIfMain(import.meta.url, measure)
