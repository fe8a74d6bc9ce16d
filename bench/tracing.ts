// Claim: tracing costs a call less than 2 % of its processor time.
//
// Real sessions with recordings on disk, a talking line each, and a vendor's streams for their words and voice, so that nothing
// is computed that is not ours: a call with offline engines pays a smaller share. The vendor and the collector, which only
// reads, are in this process.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runLoad } from './call-load.ts'
import { openDeepgram } from './deepgram-server.ts'
import { alternate, median, type Sample, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const target = 1.02
const rounds = 4
const calls = 50
// Calls whose traces are sent before the measurement.
const earlyCalls = 30
const callMs = 20_000
// The largest spread between the pairs. With more than this a difference of 2 % cannot be seen.
const mostSpread = 0.05

/** Answers as a collector does, and counts what it was sent. */
async function openCollector() {
  let bytes = 0
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    request.on('end', () => response.setHeader('content-type', 'application/json').end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, bytes: () => bytes, close: () => server.closeAllConnections() ?? server.close() }
}

async function measure(): Promise<Row[]> {
  const [collector, vendor] = [await openCollector(), await openDeepgram()]
  const load = {
    of: 'calls',
    calls,
    earlyCalls,
    engines: 'at-once',
    ahead: true,
    everyGap: 1_000,
    vendorUrl: vendor.baseUrl,
  } as const
  const shares: number[] = []
  const cpuMs = (tracesTo?: string) => async () => {
    const report = await runLoad({ ...load, ...(tracesTo && { tracesTo }), warmUpMs: 5_000, forMs: callMs })
    if (tracesTo) shares.push(report.tracingMsPerCall / (report.cpuMsPerCall - report.tracingMsPerCall))
    return report.cpuMsPerCall
  }
  try {
    const samples = await alternate(rounds, cpuMs(collector.url), cpuMs())
    if (collector.bytes() === 0) throw new Error('the collector got no trace')
    return [pairsRow(samples), shareRow(shares)]
  } finally {
    collector.close()
    await vendor.close()
  }
}

const claim = `processor time of a call of ${callMs / 1000} s, ${calls} at once, with its trace sent by OTLP`
const inMs = (value: number): string => `${value.toFixed(1)} ms`

function pairsRow(samples: readonly Sample[]): Row {
  const ratios = samples.map(({ ours, yardstick }) => ours / yardstick)
  const [traced, bare] = [samples.map(({ ours }) => ours), samples.map(({ yardstick }) => yardstick)]
  const isNoisy = Math.max(...ratios) - Math.min(...ratios) > mostSpread
  return {
    claim: `${claim}, by turns`,
    measured: spread(traced, inMs),
    yardstick: `without traces: ${spread(bare, inMs)}`,
    ratio: spread(ratios, (value) => value.toFixed(3)),
    target: `< ${target}`,
    verdict: isNoisy ? 'too noisy to say' : verdict(median(ratios) < target),
  }
}

/** Spans are made and sent when the calls are over: what that takes is a difference within one run. */
function shareRow(shares: readonly number[]): Row {
  const ratios = shares.map((share) => 1 + share)
  return {
    claim: `${claim}, within a run`,
    measured: `${spread(shares, (share) => `${(100 * share).toFixed(2)} %`)} for making and sending spans`,
    yardstick: 'everything else that the call took',
    ratio: spread(ratios, (value) => value.toFixed(4)),
    target: `< ${target}`,
    verdict: verdict(median(ratios) < target),
  }
}

await printIfMain(import.meta.url, measure)
