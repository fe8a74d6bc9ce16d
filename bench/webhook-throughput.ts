// Claim: ended calls are published, delivered over TLS and recorded at least 0.5 times as fast as undici sends bare.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { statement } from '../server/src/platform/db/db.ts'
import { alternate, median, type Sample, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { answers, type Child, freePort, startNode } from './service-process.ts'
import { endCalls } from './webhook-calls.ts'
import { agentsOf, type Endpoint, type Fixture, openFixture } from './webhook-fixture.ts'

const target = 0.5
const rounds = 5
// The first round of the service is a third slower than the fourth, from which on they are alike.
const warmUps = 3
// Four busy processes on two cores: on a calm machine the best of five ratios is within a third of the worst.
const widestSpread = 1.5
// About four seconds of work for the service, which averages out a checkpoint, a garbage collection, and the first and the last
// batch, beside which nothing else is under way.
const callsPerRound = 16_000
// Enough lanes that the cap of one is not what is measured.
const manyEndpoints = 4
// The service's cap per endpoint; the yardstick gets the same.
const underWayPerEndpoint = 128
// All calls are written within this time, so that writing them is not part of the round.
const leadMs = 24_000
// The receiver is asked this often: every answer takes time from what is measured. The database is asked when the last
// delivery was over.
const pollMs = 250
const roundTimeoutMs = 120_000

const bare = fileURLToPath(new URL('./webhook-bare-sender.ts', import.meta.url))

const outcome = statement(`
  SELECT count(*) FILTER (WHERE status = 'delivered')::int AS delivered,
    extract(epoch FROM max(completed_at))::float8 * 1000 AS "lastMs"
  FROM deliveries WHERE created_at >= $1`)

const anyPayload = statement('SELECT payload FROM events LIMIT 1')

async function measure(): Promise<Row[]> {
  const fixture = await openFixture(manyEndpoints)
  let sender: { child: Child; url: string } | undefined
  try {
    await fixture.start()
    const endpoints = await countingEndpoints(fixture)
    // Until the JIT has settled, of both; the first event is the yardstick's body.
    for (let round = 0; round < warmUps; round++) await deliveriesPerSecond(fixture, endpoints)
    sender = await startBareSender(fixture)
    for (let round = 0; round < warmUps; round++)
      await bareRequestsPerSecond(sender.url, fixture.sink.origins)
    return [
      await compare(fixture, endpoints, sender.url, target),
      await compare(fixture, endpoints.slice(0, 1), sender.url),
    ]
  } finally {
    await sender?.child.kill()
    await fixture.close()
  }
}

/** Endpoints with an agent each: one delivery per call. */
export const countingEndpoints = (fixture: Fixture): Promise<Endpoint[]> =>
  Promise.all(
    fixture.sink.origins.map(async (origin) =>
      fixture.newEndpoint(`${origin}/count`, await fixture.newAgent()),
    ),
  )

/** From the time a backlog of calls falls due until the last of them is recorded as delivered. */
export async function deliveriesPerSecond(fixture: Fixture, endpoints: readonly Endpoint[]): Promise<number> {
  const { db, sink } = fixture
  const agentIds = agentsOf(endpoints)
  const countBefore = await sink.count()
  const dueAt = new Date(Date.now() + leadMs)
  await endCalls(db, agentIds, callsPerRound, dueAt)
  if (Date.now() > dueAt.getTime()) throw new Error('writing the calls took longer than the lead')
  const giveUpAt = Date.now() + roundTimeoutMs
  // Polls the receiver, which costs the database nothing.
  while ((await sink.count()) < countBefore + callsPerRound) await pause(giveUpAt)
  for (;;) {
    const found = await db.row<{ delivered: number; lastMs: number }>(outcome, [dueAt])
    if (found?.delivered === callsPerRound) return callsPerRound / ((found.lastMs - dueAt.getTime()) / 1000)
    await pause(giveUpAt)
  }
}

async function pause(giveUpAt: number): Promise<void> {
  if (Date.now() > giveUpAt) throw new Error('the deliveries do not come to an end')
  await sleep(pollMs)
}

async function startBareSender({ home, sink, db }: Fixture): Promise<{ child: Child; url: string }> {
  const bodyFile = join(home.dataDir, 'body.json')
  await writeFile(bodyFile, (await db.row<{ payload: string }>(anyPayload))?.payload ?? '')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { NODE_EXTRA_CA_CERTS: sink.certificateFile }
  const child = await startNode([bare, String(port), bodyFile], env, join(home.dataDir, 'bare.log'), () =>
    answers(`${url}/healthz`),
  )
  return { child, url }
}

async function bareRequestsPerSecond(url: string, origins: readonly string[]): Promise<number> {
  const query = new URLSearchParams([
    ['count', String(callsPerRound)],
    ['under_way', String(underWayPerEndpoint)],
    ...origins.map((origin): [string, string] => ['origin', origin]),
  ])
  const response = await fetch(`${url}/?${query}`, { method: 'POST' })
  return callsPerRound / ((await response.json()) as number)
}

async function compare(
  fixture: Fixture,
  endpoints: readonly Endpoint[],
  senderUrl: string,
  atLeast?: number,
): Promise<Row> {
  const samples = await alternate(
    rounds,
    () => deliveriesPerSecond(fixture, endpoints),
    () => bareRequestsPerSecond(senderUrl, fixture.sink.origins.slice(0, endpoints.length)),
  )
  return rowOf(endpoints.length, samples, atLeast)
}

function rowOf(endpoints: number, samples: readonly Sample[], atLeast: number | undefined): Row {
  const ratios = samples.map(({ ours, yardstick }) => ours / yardstick)
  const perSecond = (of: (sample: Sample) => number) =>
    spread(samples.map(of), (value) => Math.round(value).toString())
  return {
    claim: `calls told, delivered and recorded, ${endpoints === 1 ? 'one endpoint' : `${endpoints} endpoints`}`,
    measured: `${perSecond(({ ours }) => ours)} deliveries/s`,
    yardstick: `bare signed undici, as many under way, nothing kept: ${perSecond(({ yardstick }) => yardstick)} requests/s`,
    ratio: spread(ratios, (value) => value.toFixed(2)),
    target: atLeast === undefined ? 'none' : `≥ ${atLeast}`,
    verdict: judge(ratios, atLeast),
  }
}

function judge(ratios: readonly number[], atLeast: number | undefined): Row['verdict'] {
  if (atLeast === undefined) return 'no target'
  if (Math.max(...ratios) > widestSpread * Math.min(...ratios)) return 'too noisy to say'
  return verdict(median(ratios) >= atLeast)
}

await printIfMain(import.meta.url, measure, { coresAwake: false })
