// Media workers behind the telephone edge of deploy/edge/, on one database, and what is read from it.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  answers,
  apiKey,
  type Child,
  freePort,
  makeHome,
  startNode,
  startService,
} from '../bench/service-process.ts'
import { liveClaimants } from '../server/src/platform/db/claim.ts'
import { openDb, statement } from '../server/src/platform/db/db.ts'
import { type EdgeProcess, startEdge } from '../server/test/props/sip/edge/edge-process.ts'
import { ownPort } from '../server/test/support/own-ports.ts'
import { waitUntil } from '../server/test/support/wait-until.ts'

const mediaProcess = fileURLToPath(new URL('./edge-media-process.ts', import.meta.url))
const settings = { PARLEY_SECRET: 'a secret for disasters only', PARLEY_CALL_EVENT_DELAY_SECONDS: '0' }
// Two ports for each of a hundred calls, and as many that rest after their last call.
const rtpPorts = 1_000
const pollMs = 200

const orphaned = statement(`
  SELECT session_id FROM calls WHERE claimed_by IS NOT NULL AND claimed_by NOT IN (${liveClaimants})`)
const unfinished = statement('SELECT count(*)::int AS calls FROM calls WHERE NOT finished')
const records = statement(`
  SELECT c.session_id, c.from_phone_number AS caller, c.call_status AS status, c.hangup_reason AS reason,
    (SELECT count(*)::int FROM events e WHERE e.payload LIKE '%' || c.session_id || '%') AS events
  FROM calls c`)

/** A call as its record tells it. */
export interface CallRow {
  readonly session_id: string
  readonly caller: string | null
  readonly status: string
  readonly reason: string | null
  readonly events: number
}

export interface EdgeWorker {
  /** Starts the worker again with its settings and ports, after it was killed or stopped. */
  start(): Promise<void>
  readonly child: Child
}

export type EdgeFixture = Awaited<ReturnType<typeof openEdgeFixture>>

export async function openEdgeFixture(options: { workers: number; drainSeconds: number }) {
  const home = await makeHome()
  const env = { ...settings, PARLEY_ROLES: 'api,worker', PARLEY_WORKSPACE_CONCURRENCY: '1000' }
  const service = await startService(home, { env })
  const socket = join(home.dataDir, 'run')
  const db = openDb({ host: socket, user: 'parley', database: 'postgres' }, 2, () => {})
  const sipPorts = await Promise.all(Array.from({ length: options.workers }, ownPort))
  const edge = await startEdge({ workers: sipPorts, calls: 400 })
  const workers: EdgeWorker[] = []
  for (const port of sipPorts) workers.push(await openWorker(port))
  const isUp = () => edge.workers().match(/FLAGS: AP/g)?.length === options.workers
  await waitUntil(
    () => isUp() || undefined,
    () => edge.workers(),
  )

  async function openWorker(sipPort: number): Promise<EdgeWorker> {
    const port = await freePort()
    const firstRtp = 50_000 + workers.length * rtpPorts
    const start = () =>
      startNode(
        [mediaProcess],
        {
          ...settings,
          HOST: '127.0.0.1',
          PORT: String(port),
          PARLEY_DATA_DIR: home.dataDir,
          PARLEY_ROLES: 'media',
          PARLEY_LOG_FORMAT: 'json',
          PARLEY_SIP_PORT: String(sipPort),
          PARLEY_SIP_EDGE: `${edge.inside.address}:${edge.inside.port}`,
          PARLEY_SIP_ALLOW: '127.0.0.3/32',
          PARLEY_RTP_PORTS: `${firstRtp}-${firstRtp + rtpPorts - 1}`,
          PARLEY_WORKSPACE_CONCURRENCY: '1000',
          PARLEY_DRAIN_SECONDS: String(options.drainSeconds),
          DATABASE_URL: `postgresql://parley@${encodeURIComponent(socket)}/postgres`,
        },
        home.logFile,
        async () => {
          // The worker starts sooner if it is not asked all the time.
          await sleep(pollMs)
          return answers(`http://127.0.0.1:${port}/readyz/media`)
        },
      )
    let child = await start()
    return {
      get child() {
        return child
      },
      async start() {
        child = await start()
      },
    }
  }

  return {
    edge: edge as EdgeProcess,
    workers,
    agentId: await makeAgent(home.url),
    /** Sessions whose process is gone, at this moment. */
    orphaned: async () =>
      (await db.rows<{ session_id: string }>(orphaned)).map(({ session_id }) => session_id),
    async allEnded(): Promise<void> {
      await waitUntil(
        async () => (await db.row<{ calls: number }>(unfinished))?.calls === 0 || undefined,
        () => 'the end of all calls',
      )
    },
    records: () => db.rows<CallRow>(records),
    async close(): Promise<void> {
      await Promise.all(workers.map(({ child }) => child.kill()))
      await edge.stop()
      await db.close()
      await service.stop()
      await home.remove()
    },
  }
}

async function makeAgent(url: string): Promise<string> {
  const response = await fetch(`${url}/agent/v1/agents`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({
      agent_config: {
        agent_name: 'City library',
        agent_welcome_message: 'Hello, this is the city library.',
        agent_prompt: 'You are the desk of the city library.',
        llm_agent: {},
      },
    }),
  })
  return ((await response.json()) as { data: { agent_id: string } }).data.agent_id
}
