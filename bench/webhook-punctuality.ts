// Claims: at half the throughput, 99 of 100 deliveries leave within 100 ms; a retry is never early and at most 0.5 s
// late.
import { judgeBeside, sayOthers, watchOthers } from './other-load.ts'
import { median, spread } from './rounds.ts'
import { printIfMain, type Row } from './row.ts'
import { endCalls, endCallsSteadily } from './webhook-calls.ts'
import { type Endpoint, type Fixture, openFixture } from './webhook-fixture.ts'
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
    await load(fixture, endpoints, perSecond, warmUpSeconds)
    return [
      await punctuality(fixture, endpoints, perSecond),
      ...(await retries(fixture, endpoints, perSecond)),
    ]
  } finally {
    await fixture.close()
  }
}

const load = ({ db }: Fixture, endpoints: readonly Endpoint[], perSecond: number, seconds: number) =>
  endCallsSteadily(
    db,
    endpoints.flatMap(({ agentId }) => agentId ?? []),
    perSecond,
    seconds,
  )

async function punctuality(
  fixture: Fixture,
  endpoints: readonly Endpoint[],
  perSecond: number,
): Promise<Row> {
  const others = watchOthers(fixture.home.dataDir)
  const sorted: (readonly number[])[] = []
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { rate, sortedMs } = await latencies(fixture, endpoints, perSecond)
    rates.push(rate)
    sorted.push(sortedMs)
  }
  const othersShare = others()
  const p99s = sorted.map((ms) => percentile(ms, 99))
  const ms = (percent: number) =>
    `${spread(
      sorted.map((all) => percentile(all, percent)),
      whole,
    )} ms`
  return {
    claim: `due to first byte at the receiver, ${perSecond} calls/s (half the throughput), ${rounds} times ${steadySeconds} s${slower(rates, perSecond)}`,
    measured: `p50 ${ms(50)}, p99 ${ms(99)}, most ${ms(100)}`,
    yardstick: sayOthers(othersShare),
    ratio: '–',
    target: `p99 < ${target.p99Ms} ms`,
    // What was not reached was not measured.
    verdict: judgeBeside(median(p99s) < target.p99Ms && isAtPace(rates, perSecond), othersShare),
  }
}

async function latencies(
  fixture: Fixture,
  endpoints: readonly Endpoint[],
  perSecond: number,
): Promise<{ rate: number; sortedMs: number[] }> {
  await whenFinished(fixture.db, endpoints, finishTimeoutMs)
  await fixture.sink.forgetArrivals()
  const since = new Date()
  const rate = await load(fixture, endpoints, perSecond, steadySeconds)
  await whenFinished(fixture.db, endpoints, finishTimeoutMs)
  return { rate, sortedMs: await latenciesSince(fixture, endpoints, since) }
}

// The last step may be late by as much.
const atPace = 0.98

const isAtPace = (rates: readonly number[], perSecond: number) => median(rates) >= perSecond * atPace

/** Where the database does not end calls that fast, on the cores that it shares with everything else here. */
const slower = (rates: readonly number[], perSecond: number) =>
  isAtPace(rates, perSecond) ? '' : `, of which ${spread(rates, whole)} calls/s could be ended`

const whole = (value: number) => Math.round(value).toString()

/** Under the same load, one endpoint refuses every delivery twice. */
async function retries(fixture: Fixture, endpoints: readonly Endpoint[], perSecond: number): Promise<Row[]> {
  const agentId = await fixture.newAgent()
  const refuser = await fixture.newEndpoint(
    `${fixture.sink.origins[endpointsUnderLoad]}/refuse/${gapsMs.length}`,
    agentId,
  )
  await fixture.sink.forgetArrivals()
  const others = watchOthers(fixture.home.dataDir)
  await Promise.all([
    load(fixture, endpoints, perSecond, retriesTakeSeconds),
    endCalls(fixture.db, [agentId], refused),
  ])
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
