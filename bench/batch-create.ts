// Claim: a batch of 100,000 recipients is created within twice the time of a bare COPY of the same rows, in little
// memory.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { statement } from '../server/src/platform/db/db.ts'
import { copyLine } from '../server/src/resources/batches/copy-line.ts'
import { type BatchFixture, openBatchFixture, recipients } from './batch-fixture.ts'
import { alternate, median, type Sample, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const many = 100_000
const mostTimes = 2
const mostGrowthMb = 300
const rounds = 7
// A good size for one socket write.
const chunkCharacters = 256 * 1024

const columns =
  '(batch_id, place, recipient_id, to_phone_number, name, variables, metadata, timezone, provider)'

async function measure(): Promise<Row[]> {
  const fixture = await openBatchFixture({ PARLEY_ROLES: 'api' })
  const client = new pg.Client({ host: `${fixture.home.dataDir}/run`, user: 'parley', database: 'postgres' })
  await client.connect()
  try {
    const list = recipients(many)
    const agentId = await fixture.newAgent()
    const body = Buffer.from(JSON.stringify({ name: 'Measured', agent_id: agentId, recipients: list }))
    const lines = list
      .map((recipient, at) => copyLine(agentId, at + 1, { recipient, provider: 'sandbox' }))
      .join('')
    await client.query('CREATE TABLE bare_copy (LIKE batch_recipients INCLUDING ALL)')
    const form = formOf(agentId, list)
    const inJson = () => createSeconds(fixture, body)
    const inCsv = () => createSeconds(fixture, form)
    const bare = () => copySeconds(client, lines)
    // Warm-up until the JIT has settled.
    await alternate(2, inJson, bare)
    await alternate(2, inCsv, bare)
    const restMb = forgetPeak(fixture.service.pid)
    const samples = await alternate(rounds, inJson, bare)
    const csvSamples = await alternate(rounds, inCsv, bare)
    const growthMb = peakMb(fixture.service.pid) - restMb
    return [timeRow('JSON', samples), timeRow('CSV', csvSamples), memoryRow(growthMb, body.length)]
  } finally {
    await client.end()
    await fixture.close()
  }
}

const empty = statement('TRUNCATE batches, batch_recipients')

/** The same list as a file. */
function formOf(agentId: string, list: ReturnType<typeof recipients>): FormData {
  const lines = list.map(({ variables, ...known }) =>
    [...Object.values(known), ...Object.values(variables)].join(),
  )
  const csv = ['to_phone_number,recipient_id,name,amount,due,plan', ...lines].join('\n')
  const form = new FormData()
  form.set('name', 'Measured')
  form.set('agent_id', agentId)
  form.set('file', new Blob([csv]), 'recipients.csv')
  return form
}

async function createSeconds(
  fixture: BatchFixture,
  body: Uint8Array<ArrayBuffer> | FormData,
): Promise<number> {
  await fixture.db.rows(empty)
  const startedAt = performance.now()
  const { recipient_count } = await fixture.post('/batch-calls', body)
  if (recipient_count !== many) throw new Error(`${recipient_count} recipients were taken in`)
  return (performance.now() - startedAt) / 1000
}

/** The rows are ready as text; nothing is parsed, validated or answered. */
async function copySeconds(client: pg.Client, lines: string): Promise<number> {
  await client.query('TRUNCATE bare_copy')
  const startedAt = performance.now()
  const copy = client.query(from(`COPY bare_copy ${columns} FROM STDIN`))
  for (let at = 0; at < lines.length; at += chunkCharacters) {
    if (!copy.write(lines.slice(at, at + chunkCharacters))) await once(copy, 'drain')
  }
  copy.end()
  await finished(copy)
  return (performance.now() - startedAt) / 1000
}

const memory = (pid: number, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) /
  1024

/** Resets the kernel's peak RSS counter; returns the current RSS. */
function forgetPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return memory(pid, 'VmRSS')
}

const peakMb = (pid: number) => memory(pid, 'VmHWM')

function timeRow(format: string, samples: readonly Sample[]): Row {
  const ratios = samples.map(({ ours, yardstick }) => ours / yardstick)
  const seconds = (of: (sample: Sample) => number) =>
    spread(samples.map(of), (value) => `${value.toFixed(2)} s`)
  return {
    claim: `a batch of 100,000 recipients in ${format}: read, checked, stored, answered`,
    measured: seconds(({ ours }) => ours),
    yardstick: `bare COPY of the same rows into the same table: ${seconds(({ yardstick }) => yardstick)}`,
    ratio: spread(ratios, (value) => value.toFixed(2)),
    target: `≤ ${mostTimes}`,
    verdict: verdict(median(ratios) <= mostTimes),
  }
}

const memoryRow = (growthMb: number, bodyBytes: number): Row => ({
  claim: `both, ${rounds} times each: peak growth of the service's memory`,
  measured: `${Math.round(growthMb)} MB`,
  yardstick: `the body in JSON: ${Math.round(bodyBytes / 1024 / 1024)} MB`,
  ratio: '–',
  target: `< ${mostGrowthMb} MB`,
  verdict: verdict(growthMb < mostGrowthMb),
})

await printIfMain(import.meta.url, measure)
