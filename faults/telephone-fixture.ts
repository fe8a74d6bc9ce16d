// A service that takes requests, and processes with a telephone line on the same database.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
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
import { openDb, statement } from '../server/src/platform/db/db.ts'
import { waitUntil } from '../server/test/support/wait-until.ts'

const main = fileURLToPath(new URL('../server/src/main/all.ts', import.meta.url))
const settings = { PARLEY_SECRET: 'a secret for disasters only', PARLEY_CALL_EVENT_DELAY_SECONDS: '0' }

export interface TelephoneProcess {
  readonly child: Child
  /** The SIP port. */
  readonly port: number
}

const newest = statement('SELECT session_id FROM calls ORDER BY session_id DESC LIMIT 1')
const said = statement(`
  SELECT string_agg(data->>'role' || ': ' || (data->>'content'), ' / ' ORDER BY seq) AS text
  FROM call_events WHERE session_id = $1 AND type = 'transcript'`)
const begun = statement(`
  SELECT min(at) AS at FROM call_events
  WHERE session_id = $1 AND type IN ('partial', 'transcript') AND data->>'role' = 'agent'
    AND coalesce(data->>'text', data->>'content') LIKE $2 || '%'`)
const ended = statement(
  'SELECT call_status, hangup_reason, recording FROM calls WHERE session_id = $1 AND finished',
)

export type TelephoneFixture = Awaited<ReturnType<typeof openTelephoneFixture>>

export async function openTelephoneFixture({ models, allow }: { models: string; allow: string }) {
  const home = await makeHome()
  const service = await startService(home, { env: { ...settings, PARLEY_ROLES: 'api,worker' } })
  const socket = join(home.dataDir, 'run')
  const db = openDb({ host: socket, user: 'parley', database: 'postgres' }, 2, () => {})
  const media = new Set<Child>()
  const post = async (path: string, body: unknown) => {
    const headers = {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    }
    const response = await fetch(`${home.url}/agent/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return ((await response.json()) as { data: Record<string, string> }).data
  }
  const { agent_id: agentId } = await post('/agents', {
    agent_config: {
      agent_name: 'City library',
      agent_welcome_message: 'Hello, this is the city library.',
      agent_prompt:
        'You are the desk of the city library. We are open from nine to five. We are at 12 Maple Street.',
      llm_agent: {},
    },
  })
  const transcript = async (sessionId: string) =>
    (await db.row<{ text: string | null }>(said, [sessionId]))?.text ?? ''

  return {
    agentId,
    async startMedia(): Promise<TelephoneProcess> {
      const [port, sipPort] = [await freePort(), await freePort()]
      const env = {
        ...settings,
        HOST: '127.0.0.1',
        PORT: String(port),
        PARLEY_DATA_DIR: home.dataDir,
        PARLEY_ROLES: 'media',
        PARLEY_LOG_FORMAT: 'json',
        PARLEY_TTS: 'wren',
        PARLEY_MODELS_DIR: models,
        PARLEY_WARM_ENGINES: 'true',
        PARLEY_SIP_PORT: String(sipPort),
        PARLEY_SIP_ALLOW: `${allow}/32`,
        DATABASE_URL: `postgresql://parley@${encodeURIComponent(socket)}/postgres`,
      }
      const child = await startNode([main], env, home.logFile, () =>
        answers(`http://127.0.0.1:${port}/readyz`),
      )
      media.add(child)
      return { child, port: sipPort }
    },
    newestCall: () =>
      waitUntil(
        async () => (await db.row<{ session_id: string }>(newest))?.session_id,
        () => 'a call',
      ),
    async hasSaid(sessionId: string, words: RegExp): Promise<void> {
      let text = ''
      await waitUntil(
        async () => {
          text = await transcript(sessionId)
          return words.test(text) || undefined
        },
        () => `${words} in: ${text}`,
      )
    },
    /** When the agent's words that begin so were first heard. */
    hasBegun: (sessionId: string, words: string) =>
      waitUntil(
        async () => (await db.row<{ at: Date | null }>(begun, [sessionId, words]))?.at?.getTime(),
        () => `${words} by the agent`,
      ),
    async isCompleted(sessionId: string): Promise<void> {
      const row = await waitUntil(
        () => db.row<{ call_status: string; hangup_reason: string; recording: unknown }>(ended, [sessionId]),
        () => 'the end of the call',
      )
      if (row.call_status !== 'completed' || row.hangup_reason !== 'user_hangup' || !row.recording)
        throw new Error(`the record says ${JSON.stringify(row)}`)
    },
    async close(): Promise<void> {
      await Promise.all([...media].map((child) => child.kill()))
      await db.close()
      await service.stop()
      await home.remove()
    },
  }
}
