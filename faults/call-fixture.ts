// A service that takes requests, and processes that run scripted calls on the same database.
import { randomInt, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  answers,
  apiKey,
  type Child,
  freePort,
  type Home,
  makeHome,
  startNode,
  startService,
} from '../bench/service-process.ts'
import { type Db, openDb, statement } from '../server/src/platform/db/db.ts'
import type { CallRow, CallStart } from './call-check.ts'

const program = fileURLToPath(new URL('../server/test/support/media-process.ts', import.meta.url))
const settings = { PARLEY_SECRET: 'a secret for disasters only', PARLEY_CALL_EVENT_DELAY_SECONDS: '0' }

export interface CallFixture {
  readonly db: Db
  startMedia(): Promise<Child>
  newAgent(): Promise<string>
  /** Places a call; resolves to its session id when the request is acknowledged. */
  place(agentId: string): Promise<string>
  rows(): Promise<CallRow[]>
  runs(): Promise<CallStart[]>
  told(): Promise<string[]>
  /** Sessions with an incomplete recording. */
  unmended(): Promise<string[]>
  close(): Promise<void>
}

const selectRows = statement(
  'SELECT session_id AS "sessionId", finished, hangup_reason AS "hangupReason" FROM calls',
)
const selectTold = statement("SELECT payload::json->'data'->>'session_id' AS id FROM events")

export async function openCallFixture(): Promise<CallFixture> {
  const home = await makeHome()
  const service = await startService(home, { env: { ...settings, PARLEY_ROLES: 'api,worker' } })
  const socket = join(home.dataDir, 'run')
  const db = openDb({ host: socket, user: 'parley', database: 'postgres' }, 2, () => {})
  const runLog = join(home.dataDir, 'runs')
  const media = new Set<Child>()

  return {
    db,
    async startMedia() {
      const port = await freePort()
      const env = {
        ...settings,
        HOST: '127.0.0.1',
        PORT: String(port),
        PARLEY_DATA_DIR: home.dataDir,
        PARLEY_ROLES: 'media',
        PARLEY_LOG_FORMAT: 'json',
        PARLEY_DRAIN_SECONDS: '1',
        DATABASE_URL: `postgresql://parley@${encodeURIComponent(socket)}/postgres`,
      }
      const ready = () => answers(`http://127.0.0.1:${port}/readyz`)
      const child = await startNode([program, runLog], env, home.logFile, ready)
      media.add(child)
      return child
    },
    newAgent: async () =>
      (await post(home, '/agents', { agent_config: { agent_name: 'Front desk', llm_agent: {} } }))
        .agent_id as string,
    place: async (agentId) =>
      (
        await post(home, '/calls', {
          agent_id: agentId,
          to_phone_number: '+15550100',
          metadata: { script: script() },
        })
      ).session_id as string,
    rows: () => db.rows<CallRow>(selectRows),
    async runs() {
      const text = await readFile(runLog, 'utf8').catch(() => '')
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => {
          const [pid, sessionId = ''] = line.split(' ')
          return { pid: Number(pid), sessionId }
        })
    },
    told: async () => (await db.rows<{ id: string }>(selectTold)).map(({ id }) => id),
    unmended: async () =>
      (await readdir(join(home.dataDir, 'recordings'))).filter((name) => name.endsWith('.part')),
    async close() {
      await db.close()
      for (const child of media) await child.stop()
      await service.stop()
      await home.remove()
    },
  }
}

// A call lasts a second at most, so that a kill always finds some of them running.
const script = () => [
  { type: 'status', status: 'ringing' },
  { type: 'wait', ms: randomInt(50) },
  { type: 'status', status: 'in-progress' },
  { type: 'record', seconds: 2 },
  { type: 'partial', role: 'user', text: 'Hel' },
  { type: 'wait', ms: randomInt(400) },
  {
    type: 'transcript',
    entry: { turn: 1, role: 'user', content: 'Hello', startSeconds: 0, endSeconds: 1, interrupted: false },
  },
]

// How long a refused request is repeated: a start of the service takes a second or two, and nothing else refuses.
const placeTries = 20
const pauseMs = 100

async function post({ url }: Home, path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  for (let attempt = 1; ; attempt++) {
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}/agent/v1${path}`, init).catch(() => undefined)
    if (response?.ok) return ((await response.json()) as { data: Record<string, unknown> }).data
    if (attempt === placeTries) throw new Error(`POST ${path} answered ${response?.status}`)
    await sleep(pauseMs)
  }
}
