// Claim: the whole service reaches at least 0.6 of the request rate of a bare Fastify route with the same query.
import { randomUUID } from 'node:crypto'
import type autocannon from 'autocannon'
import { requestsPerSecond } from './load.ts'
import { alternate, median, type Sample, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { sampleAgent } from './sample-agent.ts'
import { apiKey, makeHome, startService } from './service-process.ts'
import { databaseConnections, startYardstick } from './yardstick.ts'

const target = 0.6
const rounds = 5
// If the five ratios differ by more than this, other load disturbed the run and it proves nothing.
const widestSpread = 1.3
// Long enough to average out a checkpoint or a garbage collection, short enough for ten rounds in a minute.
const roundSeconds = 4
// Until the JIT has settled on both sides; the service has more code to compile.
const warmUpSeconds = 10
// Enough that no single row or page dominates.
const agentsToRead = 500

/** One side of the comparison: the address of its agents and the request that writes one. */
interface Side {
  readonly agents: string
  idOf(answer: unknown): string
}

async function measure(): Promise<Row[]> {
  const home = await makeHome()
  const service = await startService(home, {
    env: { PARLEY_DATABASE_CONNECTIONS: String(databaseConnections) },
  })
  const { child, url } = await startYardstick(home)
  try {
    const ours: Side = {
      agents: `${home.url}/agent/v1/agents`,
      idOf: (answer) => (answer as { data: { agent_id: string } }).data.agent_id,
    }
    const bare: Side = {
      agents: `${url}/agents`,
      idOf: (answer) => (answer as { agent_id: string }).agent_id,
    }
    return [
      await compare('POST /agents', ours, bare, async () => [newAgent]),
      await compare('GET /agents/{id}', ours, bare, readsOf),
    ]
  } finally {
    await child.stop()
    await service.stop()
    await home.remove()
  }
}

async function compare(
  what: string,
  ours: Side,
  bare: Side,
  requestsOf: (side: Side) => Promise<autocannon.Request[]>,
): Promise<Row> {
  const [ourRequests, bareRequests] = [await requestsOf(ours), await requestsOf(bare)]
  const askOurs = (seconds: number) => requestsPerSecond(ours.agents, seconds, ourRequests)
  const askBare = (seconds: number) => requestsPerSecond(bare.agents, seconds, bareRequests)
  await askOurs(warmUpSeconds)
  await askBare(warmUpSeconds)
  return rowOf(
    what,
    await alternate(
      rounds,
      () => askOurs(roundSeconds),
      () => askBare(roundSeconds),
    ),
  )
}

function rowOf(what: string, samples: readonly Sample[]): Row {
  const ratios = samples.map(({ ours, yardstick }) => ours / yardstick)
  const perSecond = (value: number) => Math.round(value).toString()
  return {
    claim: `${what} through the whole service`,
    measured: `${spread(
      samples.map(({ ours }) => ours),
      perSecond,
    )} requests/s`,
    yardstick: `bare Fastify route, same query: ${spread(
      samples.map(({ yardstick }) => yardstick),
      perSecond,
    )} requests/s`,
    ratio: spread(ratios, (value) => value.toFixed(2)),
    target: `≥ ${target}`,
    verdict: isSteady(ratios) ? verdict(median(ratios) >= target) : 'too noisy to say',
  }
}

const isSteady = (ratios: readonly number[]) => Math.max(...ratios) <= widestSpread * Math.min(...ratios)

const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
const body = JSON.stringify(sampleAgent)

const newAgent: autocannon.Request = {
  method: 'POST',
  headers,
  body,
  setupRequest: (request) => ({
    ...request,
    headers: { ...request.headers, 'idempotency-key': randomUUID() },
  }),
}

async function readsOf({ agents, idOf }: Side): Promise<autocannon.Request[]> {
  const reads: autocannon.Request[] = []
  while (reads.length < agentsToRead) {
    const response = await fetch(agents, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body,
    })
    const id = idOf(await response.json())
    reads.push({ method: 'GET', headers: { 'x-api-key': apiKey }, path: `${new URL(agents).pathname}/${id}` })
  }
  return reads
}

await printIfMain(import.meta.url, measure)
