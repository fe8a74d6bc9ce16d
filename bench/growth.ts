// Claim: with millions of calls, a list, a call's detail, the dispatch of calls, their end and the delivery of their events
// take no more than 1.3 times as long as with a thousand. The two databases are asked in turn.
//   node bench/growth.ts [--rows 10000000]
import { parseArgs } from 'node:util'
import { statement } from '../server/src/platform/db/db.ts'
import { newId } from '../server/src/platform/ids.ts'
import { claimCalls, workspacesWithCallsDue } from '../server/src/resources/calls/queue/backlog.ts'
import { finishCalls } from '../server/src/resources/calls/record/finish-calls.ts'
import { settleDeliveries } from '../server/src/resources/webhooks/backlog.ts'
import { publishEvents } from '../server/src/resources/webhooks/event-publisher.ts'
import { type GrownFixture, openGrownFixture } from './growth-fixture.ts'
import { alternate, median, type Sample } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { apiKey, workspaceId } from './service-process.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '200000' } } })
const many = Number(values.rows)
const few = 1_000
const rounds = 100
// Plans are made and pages read before it counts.
const warmUps = 20
const mostRatio = 1.3
// Calls that are dispatched, ended and reported together.
const atOnce = 20
const claimantId = 1
const nobody = '00000000-0000-0000-0000-000000000000'

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

async function get({ home }: GrownFixture, path: string): Promise<void> {
  const response = await fetch(`${home.url}/agent/v1${path}`, { headers: { 'x-api-key': apiKey } })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
}

const newest = statement('SELECT session_id FROM calls ORDER BY session_id DESC LIMIT 1000')

/** Measurements, each of which returns its duration in milliseconds. */
async function measurementsOn(fixture: GrownFixture): Promise<Record<string, () => Promise<number>>> {
  const { db, agentId } = fixture
  const recent = (await db.rows<{ session_id: string }>(newest)).map(({ session_id }) => session_id)
  let claimed: string[] = []
  return {
    'the first page of the list (GET /calls)': () => timed(() => get(fixture, '/calls?count_up_to=500')),
    'a recent call (GET /call/detail)': () =>
      timed(() => get(fixture, `/call/detail/${recent[Math.floor(Math.random() * recent.length)]}`)),
    [`dispatching ${atOnce} calls that are due`]: async () => {
      await db.rows(addWaiting, [Array.from({ length: atOnce }, () => newId()), workspaceId, agentId])
      return timed(async () => {
        const limits = { perWorkspace: 1_000, perNumber: 1_000, claimantId, most: atOnce }
        const workspaces = await workspacesWithCallsDue(db, nobody)
        claimed = []
        for (const workspaceId of workspaces)
          claimed.push(
            ...(await claimCalls(db, { ...limits, workspaceId })).map(({ session_id }) => session_id),
          )
        if (claimed.length !== atOnce) throw new Error(`${claimed.length} calls were dispatched`)
      })
    },
    [`ending these ${atOnce} calls`]: () => timed(() => finishCalls(db, claimed.map(endOf), 0)),
    [`publishing and settling ${atOnce} deliveries`]: () => timed(() => deliver(fixture)),
  }
}

const addWaiting = statement(`
  INSERT INTO calls (session_id, workspace_id, agent_id, call_type, call_status, provider, to_phone_number, due_at)
  SELECT unnest($1::uuid[]), $2, $3, 'outbound', 'queued', 'sandbox', '+15550100', now()`)

const endOf = (sessionId: string) => ({
  sessionId,
  callStatus: 'completed',
  duration: 60,
  callSid: null,
  completedAt: null,
  terminatedBy: 'user',
  transcript: [
    { role: 'agent', content: 'Front desk, how can I help?' },
    { role: 'user', content: 'I have a question.' },
  ],
  recording: null,
  analytics: null,
})

async function deliver({ db, agentId }: GrownFixture): Promise<void> {
  const limits = { claimantId, most: 512, mostPerLane: 64, ended: [], after: null }
  const { claimed } = await publishEvents(db, atOnce, limits)
  if (claimed.length !== atOnce) throw new Error(`${claimed.length} deliveries were claimed`)
  await settleDeliveries(
    db,
    claimed.map(({ job_id: id, webhook_id: webhookId }) => ({
      id,
      claimantId,
      result: { webhookId, agentId, status: 'delivered' as const, attempts: [], againAtMs: 0 },
    })),
  )
}

const inMs = (value: number): string => `${value.toFixed(2)} ms`

function rowOf(what: string, samples: readonly Sample[]): Row {
  const [ours, yardstick] = [median(samples.map((it) => it.ours)), median(samples.map((it) => it.yardstick))]
  const ratio = ours / yardstick
  return {
    claim: `${many.toLocaleString('en')} calls: ${what}`,
    measured: inMs(ours),
    yardstick: `${inMs(yardstick)} with ${few.toLocaleString('en')} in a new installation`,
    ratio: ratio.toFixed(2),
    target: `≤ ${mostRatio}`,
    verdict: verdict(ratio <= mostRatio),
  }
}

async function measure(): Promise<Row[]> {
  const silent = () => {}
  const show = (text: string) => process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`)
  const small = await openGrownFixture({ calls: few, isNew: true }, silent)
  const grown = await openGrownFixture({ calls: many, isNew: false }, show)
  try {
    const [ofSmall, ofGrown] = [await measurementsOn(small), await measurementsOn(grown)]
    const samples = new Map<string, Sample[]>(Object.keys(ofGrown).map((what) => [what, []]))
    for (let round = -warmUps; round < rounds; round++)
      for (const [what, run] of Object.entries(ofGrown)) {
        const [sample] = await alternate(1, run, ofSmall[what] ?? run)
        if (round >= 0 && sample) samples.get(what)?.push(sample)
      }
    return [...samples].map(([what, some]) => rowOf(what, some))
  } finally {
    await grown.close()
    await small.close()
  }
}

await printIfMain(import.meta.url, measure)
