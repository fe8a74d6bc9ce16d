// Claims: at half the throughput, 99 of 100 deliveries leave within 100 ms; a retry is never early and at most 0.5 s
// late.
//
// To write a call takes PostgreSQL longer than to deliver its event, so calls at half the throughput are written before
// they are due. A row of its own has calls that are due as they are written, as many as the database can write.
import { setTimeout as sleep } from 'node:timers/promises'
import { judgeBeside, sayOthers, watchOthers } from './other-load.ts'
import { median, spread } from './rounds.ts'
import { printIfMain, type Row } from './row.ts'
import { endCalls, endCallsSteadily, writeCallsAhead } from './webhook-calls.ts'
import { agentsOf, type Endpoint, type Fixture, openFixture } from './webhook-fixture.ts'
import { byDelivery, latenciesSince, percentile, whenFinished } from './webhook-latency.ts'
import type { Arrival } from './webhook-sink-process.ts'
import { countingEndpoints, deliveriesPerSecond } from './webhook-throughput.ts'

const target = { p99Ms: 100, latestRetryMs: 500 }
const endpointsUnderLoad = 4
const steadySeconds = 10
const rounds = 5
// Lets connections open and the JIT settle at the measured rate.
const warmUpSeconds = 3
// From the specification: 5 s after the first attempt, 10 s after the second.
const gapsMs = [5_000, 10_000]
const refused = 300
// Both gaps, the jitter twice, and a margin.
const retriesTakeSeconds = 18
const finishTimeoutMs = 60_000

async function measure(): Promise<Row[]> {
  const fixture = await openFixture(endpointsUnderLoad + 1)
  try {
    await fixture.start()
    const counting = (await countingEndpoints(fixture)).slice(0, endpointsUnderLoad)
    // The second run counts; the first is a warm-up.
    await deliveriesPerSecond(fixture, counting)
    const perSecond = Math.round((await deliveriesPerSecond(fixture, counting)) / 2)
    const endpoints = await Promise.all(
      fixture.sink.origins
        .slice(0, endpointsUnderLoad)
        .map(async (origin) => fixture.newEndpoint(`${origin}/note`, await fixture.newAgent())),
    )
    await due(await load(fixture, endpoints, perSecond, warmUpSeconds), warmUpSeconds)
    return [
      await punctuality(fixture, endpoints, perSecond),
      await punctualityOfWriting(fixture, endpoints, perSecond),
      ...(await retries(fixture, endpoints, perSecond)),
    ]
  } finally {
    await fixture.close()
  }
}

const load = ({ db }: Fixture, endpoints: readonly Endpoint[], perSecond: number, seconds: number) =>
  writeCallsAhead(db, agentsOf(endpoints), perSecond, seconds)

/** Waits until the last of the calls is due. */
const due = (first: Date, seconds: number) => sleep(first.getTime() - Date.now() + seconds * 1000)

async function punctuality(
  fixture: Fixture,
  endpoints: readonly Endpoint[],
  perSecond: number,
): Promise<Row> {
  const { sorted, othersShare } = await latencies(fixture, endpoints, async () =>
    due(await load(fixture, endpoints, perSecond, steadySeconds), steadySeconds),
  )
  return punctualityRow(`${perSecond} calls/s (half the throughput)`, sorted, othersShare)
}

/** Each call is due when the statement that writes it begins, so that writing it is part of the latency. */
async function punctualityOfWriting(
  fixture: Fixture,
  endpoints: readonly Endpoint[],
  mostPerSecond: number,
): Promise<Row> {
  const rates: number[] = []
  const { sorted, othersShare } = await latencies(fixture, endpoints, async () => {
    rates.push(await endCallsSteadily(fixture.db, agentsOf(endpoints), mostPerSecond, steadySeconds))
  })
  return punctualityRow(`${spread(rates, whole)} calls/s, due as they are written`, sorted, othersShare)
}

/** Of several rounds, each sorted. */
async function latencies(
  fixture: Fixture,
  endpoints: readonly Endpoint[],
  run: () => Promise<void>,
): Promise<{ sorted: readonly (readonly number[])[]; othersShare: number }> {
  const others = watchOthers(fixture.home.dataDir)
  const sorted: (readonly number[])[] = []
  for (let round = 0; round < rounds; round++) {
    await whenFinished(fixture.db, endpoints, finishTimeoutMs)
    await fixture.sink.forgetArrivals()
    const since = new Date()
    await run()
    await whenFinished(fixture.db, endpoints, finishTimeoutMs)
    sorted.push(await latenciesSince(fixture, endpoints, since))
  }
  return { sorted, othersShare: others() }
}

function punctualityRow(what: string, sorted: readonly (readonly number[])[], othersShare: number): Row {
  const p99s = sorted.map((ms) => percentile(ms, 99))
  const ms = (percent: number) =>
    `${spread(
      sorted.map((all) => percentile(all, percent)),
      whole,
    )} ms`
  return {
    claim: `due to first byte at the receiver, ${what}, ${rounds} times ${steadySeconds} s`,
    measured: `p50 ${ms(50)}, p99 ${ms(99)}, most ${ms(100)}`,
    yardstick: sayOthers(othersShare),
    ratio: '–',
    target: `p99 < ${target.p99Ms} ms`,
    verdict: judgeBeside(median(p99s) < target.p99Ms, othersShare),
  }
}

const whole = (value: number) => Math.round(value).toString()

/** Under the same load, one endpoint refuses every delivery twice. */
async function retries(fixture: Fixture, endpoints: readonly Endpoint[], perSecond: number): Promise<Row[]> {
  const agentId = await fixture.newAgent()
  const refuser = await fixture.newEndpoint(
    `${fixture.sink.origins[endpointsUnderLoad]}/refuse/${gapsMs.length}`,
    agentId,
  )
  await fixture.sink.forgetArrivals()
  const first = await load(fixture, endpoints, perSecond, retriesTakeSeconds)
  const others = watchOthers(fixture.home.dataDir)
  await due(first, 0)
  await endCalls(fixture.db, [agentId], refused)
  await due(first, retriesTakeSeconds)
  await whenFinished(fixture.db, [...endpoints, refuser], finishTimeoutMs)
  const tried = [...byDelivery(await fixture.sink.arrivals()).values()].filter(
    ([first]) => first?.status === 500,
  )
  if (tried.length !== refused) throw new Error(`${tried.length} of ${refused} were refused`)
  const othersShare = others()
  return gapsMs.map((gapMs, nth) => retryRow(gapMs, nth, tried, othersShare))
}

function retryRow(
  gapMs: number,
  nth: number,
  tried: readonly (readonly Arrival[])[],
  othersShare: number,
): Row {
  const lateMs = tried
    .map((arrivals) => {
      const [before, after] = [arrivals[nth], arrivals[nth + 1]]
      // Never arrived: infinitely late.
      return before?.answeredAtMs && after
        ? after.atMs - before.answeredAtMs - gapMs
        : Number.POSITIVE_INFINITY
    })
    .sort((a, b) => a - b)
  const ms = (percent: number) => `${percentile(lateMs, percent)} ms`
  const earliest = lateMs[0] ?? Number.NaN
  return {
    claim: `retry ${nth + 1}, beyond ${gapMs / 1000} s after the answer, under the same load`,
    measured: `least ${earliest} ms, p50 ${ms(50)}, most ${ms(100)} of ${lateMs.length}`,
    yardstick: sayOthers(othersShare),
    ratio: '–',
    target: `0 to ${target.latestRetryMs} ms`,
    verdict:
      earliest < 0 ? 'FAIL' : judgeBeside(percentile(lateMs, 100) <= target.latestRetryMs, othersShare),
  }
}

await printIfMain(import.meta.url, measure)
