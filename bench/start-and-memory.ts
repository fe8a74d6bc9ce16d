// Claims: a start on existing data answers within 3 s; and the memory of an idle service.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Memory, memoryOf } from './memory.ts'
import { postgresProcesses } from './postgres-processes.ts'
import { median, type Sample, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { type Home, makeHome, startService } from './service-process.ts'
import { startYardstick } from './yardstick.ts'

const targetMs = 3_000
const starts = 5
// By then the garbage of the start is collected, and every timer has fired.
const idleSeconds = 10

async function measure(): Promise<Row[]> {
  const home = await makeHome()
  try {
    const first = await startService(home)
    await first.stop()
    return [firstStart(first.readyMs), await laterStarts(home), ...(await idle(home))]
  } finally {
    await home.remove()
  }
}

const firstStart = (readyMs: number): Row => ({
  claim: 'first start, to the first answered request',
  measured: seconds(readyMs),
  yardstick: 'none',
  ratio: '–',
  target: 'none',
  verdict: 'no target',
})

/** The yardstick needs a running database, so it starts while the service is up, and only has itself to start. */
async function laterStarts(home: Home): Promise<Row> {
  const samples: Sample[] = []
  while (samples.length < starts) {
    const service = await startService(home)
    const { child } = await startYardstick(home)
    samples.push({ ours: service.readyMs, yardstick: child.readyMs })
    await child.stop()
    await service.stop()
  }
  const ourMs = samples.map((sample) => sample.ours)
  return {
    claim: 'second start, to the first answered request',
    measured: spread(ourMs, seconds),
    yardstick: `bare Fastify, without starting a database: ${spread(
      samples.map(({ yardstick }) => yardstick),
      seconds,
    )}`,
    ratio: spread(
      samples.map(({ ours, yardstick }) => ours / yardstick),
      (value) => value.toFixed(2),
    ),
    target: `< ${seconds(targetMs)}`,
    verdict: verdict(median(ourMs) < targetMs),
  }
}

async function idle(home: Home): Promise<Row[]> {
  const service = await startService(home)
  const { child } = await startYardstick(home)
  await sleep(idleSeconds * 1000)
  const bare = memoryOf([child.pid])
  await child.stop()
  const node = memoryOf([service.pid])
  const postgres = postgresProcesses(home.dataDir)
  if (!postgres) throw new Error('the service runs without its PostgreSQL')
  const pids = [postgres.postmaster, ...postgres.children]
  const rows = [
    memoryRow('idle memory of the service', node, bare),
    memoryRow(`idle memory of its PostgreSQL (${pids.length} processes)`, memoryOf(pids)),
  ]
  await service.stop()
  return rows
}

const memoryRow = (claim: string, ours: Memory, bare?: Memory): Row => ({
  claim,
  measured: megabytes(ours),
  yardstick: bare ? `bare Fastify: ${megabytes(bare)}` : 'none',
  ratio: bare ? (ours.pssMb / bare.pssMb).toFixed(2) : '–',
  target: 'none',
  verdict: 'no target',
})

const megabytes = ({ pssMb, rssMb }: Memory) => `${Math.round(pssMb)} MB PSS, ${Math.round(rssMb)} MB RSS`

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`

await printIfMain(import.meta.url, measure)
