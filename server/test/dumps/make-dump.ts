// Writes a dump of a database used by this release, with rows in every table and in every state that a later release
// has to migrate: the service runs, is used, and is dumped while it works.
//
//   DATABASE_URL=postgresql://…/empty PG_DUMP=/usr/lib/postgresql/15/bin/pg_dump node server/test/dumps/make-dump.ts > file.sql
//
// The database must be empty, and of the oldest major version that should be able to read the dump. Secrets, keys and
// the workspace are those of server/test/support/service.ts, so that tests can continue with it.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { startService } from '../../src/main/service.ts'
import { readConfig } from '../../src/platform/config.ts'
import { scriptedRunner } from '../support/scripted-runner.ts'
import { scriptedEngine } from '../support/speech/scripted-engine.ts'

const databaseUrl = process.env.DATABASE_URL ?? ''
const workspaceId = '11111111-1111-4111-8111-111111111111'
const key = 'svc_bound000000000000000000000000000000000000'
const dataDir = await mkdtemp(join(tmpdir(), 'parley-dump-'))

// Accepts the first event and refuses the rest.
let received = 0
const receiver = createServer((request, response) => {
  request.resume()
  response.writeHead(received++ === 0 ? 200 : 500).end()
})
await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`

const engine = scriptedEngine()
const open = (env: Record<string, string>) =>
  startService(
    readConfig({
      PORT: '0',
      HOST: '127.0.0.1',
      PARLEY_DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PARLEY_SECRET: 'a secret for tests only',
      PARLEY_WORKSPACE_ID: workspaceId,
      PARLEY_API_KEY: 'svc_unbound0000000000000000000000000000000000',
      PARLEY_WORKSPACE_API_KEY: key,
      PARLEY_ADMIN_PASSWORD: 'correct horse battery',
      PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
      PARLEY_WEBHOOK_BACKOFF_SECONDS: '3600',
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
      PARLEY_DRAIN_SECONDS: '0',
      ...env,
    }),
    pino({ level: 'silent' }),
    () => scriptedRunner(6),
    engine.open,
  )
const service = await open({})
// Calls end now, and their events are due in a minute: the dump has them pending.
const late = await open({ PARLEY_ROLES: 'api', PARLEY_CALL_EVENT_DELAY_SECONDS: '60' })

// biome-ignore lint/suspicious/noExplicitAny: answers of every kind
async function ask(method: string, path: string, body?: unknown, port = service.port): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(path.startsWith('/v1') ? { authorization: key } : { 'x-api-key': key }),
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...(body !== undefined && {
        'content-type': body instanceof Uint8Array ? 'audio/wav' : 'application/json',
      }),
    },
    ...(body !== undefined && {
      body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body),
    }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
  return JSON.parse(text).data
}
const voice = (method: string, path: string, body?: unknown, port?: number) =>
  ask(method, `/agent/v1${path}`, body, port)

const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()
async function until(sql: string): Promise<void> {
  for (let tries = 400; tries > 0; tries--) {
    if ((await client.query(sql)).rows.length > 0) return
    await sleep(50)
  }
  throw new Error(`never came true: ${sql}`)
}

// Agents: one with a sealed key, one whose calls are analysed, one that takes no calls.
const agent = async (config: object): Promise<string> =>
  (await voice('POST', '/agents', { agent_config: { llm_agent: {}, ...config } })).agent_id
const keyed = await agent({
  agent_name: 'Keyed',
  llm_agent: { llm_config: { model: 'm', api_key: 'sk-live-0123456789abcdef' } },
})
const analysed = await agent({
  agent_name: 'Analysed',
  call_analysis_config: { summary: true, sentiment: false, data_extraction: false },
})
const resting = await agent({ agent_name: 'Resting' })

await voice('POST', '/webhooks', { url: hook, events: ['call.completed'] })
const off = await voice('POST', '/webhooks', { url: hook, events: ['call.completed'], agent_id: keyed })
await voice('PATCH', `/webhooks/${off.webhook_id}`, { status: 'disabled' })

// Calls: ended in several ways, running, scheduled, waiting for capacity and for a browser.
const inProgress = { type: 'status', status: 'in-progress' }
const entry = {
  turn: 1,
  role: 'user',
  content: 'I would like a table for two.',
  startSeconds: 1,
  endSeconds: 2,
  interrupted: false,
}
const said = { type: 'transcript', entry }
const script = {
  talk: [inProgress, said, { type: 'outcome', outcome: { transcript: [entry] } }],
  busy: [{ type: 'outcome', outcome: { status: 'busy', hangupReason: 'dial_busy', answeredBy: null } }],
  noAnswer: [
    { type: 'outcome', outcome: { status: 'no-answer', hangupReason: 'dial_no_answer', answeredBy: null } },
  ],
  forever: [inProgress, { type: 'until-stopped' }],
}
const call = async (agent_id: string, steps: readonly object[], more: object = {}): Promise<string> =>
  (
    await voice('POST', '/calls', {
      agent_id,
      to_phone_number: '+15550100',
      metadata: { script: steps },
      ...more,
    })
  ).session_id
const inADay = new Date(Date.now() + 86_400_000).toISOString()
await call(analysed, script.talk, { variables: { name: 'Ada' } })
await until(`SELECT 1 FROM deliveries WHERE status = 'delivered'`)
await call(keyed, script.busy)
await until(`SELECT 1 FROM deliveries WHERE status = 'queued' AND attempts::text <> '[]'`)
await call(keyed, script.forever)
await until(`SELECT 1 FROM calls WHERE call_status = 'in-progress'`)
await call(keyed, script.talk, { schedule_time: inADay })
await voice('POST', '/calls/web', { agent_id: keyed })
const stopped = await call(keyed, script.talk, { schedule_time: inADay })
await voice('POST', `/calls/${stopped}/stop`, undefined, late.port)

// Batches: one in each state, two of them half done.
const people = (...scripts: readonly object[][]) =>
  scripts.map((steps, at) => ({
    to_phone_number: `+1555010${at}`,
    recipient_id: `r${at}`,
    metadata: { script: steps },
  }))
const batch = async (name: string, recipients: readonly object[], more: object = {}): Promise<string> =>
  (await voice('POST', '/batch-calls', { name, agent_id: keyed, recipients, ...more })).batch_id
const command = (id: string, name: string) => voice('POST', `/batch-calls/${id}/${name}`)
await batch('created', people(script.talk, script.talk))
await batch('scheduled', people(script.talk, script.talk), { schedule_time: inADay })
await command(await batch('cancelled', people(script.talk, script.talk)), 'cancel')
await command(await batch('completed', people(script.talk, script.talk)), 'execute')
await until(`SELECT 1 FROM batches WHERE status = 'completed'`)
const pausing = await batch('paused', people(script.forever, script.talk, script.talk, script.talk), {
  max_concurrency: 1,
})
await command(pausing, 'execute')
await until(`SELECT 1 FROM calls WHERE batch_id = '${pausing}' AND call_status = 'in-progress'`)
await command(pausing, 'pause')
const retry_config = { max_retries: 2, retry_on: ['no-answer'], intervals_minutes: [1] }
await command(
  await batch('in progress', people(script.noAnswer, script.forever, script.talk, script.talk), {
    max_concurrency: 1,
    retry_config,
  }),
  'execute',
)
await until(
  `SELECT 1 FROM calls JOIN batches USING (batch_id) WHERE name = 'in progress' AND call_status = 'in-progress'`,
)
await voice('PATCH', `/agents/${resting}`, { agent_config: { status: 'inactive' } })

// Transcripts: one completed, with a refused callback, one in progress, one failed, one queued.
const wav = Buffer.concat([
  Buffer.from('RIFF'),
  uint32(36 + 32_000),
  Buffer.from('WAVEfmt '),
  uint32(16),
  Buffer.from([1, 0, 1, 0]),
  uint32(16_000),
  uint32(32_000),
  Buffer.from([2, 0, 16, 0]),
  Buffer.from('data'),
  uint32(32_000),
  Buffer.alloc(32_000, 1),
])
function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const { file_id } = await ask('POST', '/v1/files', wav)
await ask('POST', '/v1/transcripts', { file_id, callback_url: hook, metadata: { order: 7 } })
await until(`SELECT 1 FROM transcripts WHERE status = 'completed'`)
await until('SELECT 1 FROM transcript_callbacks WHERE attempts > 0')
engine.gate = new Promise(() => {})
await ask('POST', '/v1/transcripts', { file_id })
await until(`SELECT 1 FROM transcripts WHERE status = 'processing'`)
await client.query(`
  INSERT INTO transcripts (transcript_id, workspace_id, file_id, options, status, due_at, error, completed_at)
  SELECT gen_random_uuid(), workspace_id, file_id, options, 'failed', NULL, 'The sound could not be read.', now()
  FROM transcripts WHERE status = 'completed';
  INSERT INTO transcript_notes (transcript_id, name, content)
  SELECT transcript_id, 'heard', '{}' FROM transcripts WHERE status = 'processing' ON CONFLICT DO NOTHING;
  INSERT INTO calls_to_analyse (session_id, due_at)
  SELECT session_id, now() + interval '1 minute' FROM calls WHERE call_status = 'completed' LIMIT 1
  ON CONFLICT DO NOTHING;
  INSERT INTO sessions (token_hash, user_id, expires_at)
  SELECT sha256('session'), user_id, now() + interval '1 day' FROM users`)

const dump = execFileSync(
  process.env.PG_DUMP ?? 'pg_dump',
  ['--inserts', '--no-owner', '--no-privileges', '--no-comments', '--no-toast-compression', databaseUrl],
  { encoding: 'utf8' },
)
// Removes psql meta-commands, which a plain SQL client cannot execute.
process.stdout.write(
  dump
    .split('\n')
    .filter((line) => !line.startsWith('\\'))
    .join('\n'),
)
await client.end()
await rm(dataDir, { recursive: true, force: true })
// No orderly stop: the state is that of the dump.
process.exit(0)
