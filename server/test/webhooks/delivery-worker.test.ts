// Deliveries under stress: one bad endpoint among good ones, dying workers, and an independent verifier.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { verifyWebhook } from '@parley/sdk/webhooks'
import Stripe from 'stripe'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDb } from '../../src/platform/db/db.ts'
import { calls } from '../../src/resources/calls/calls.ts'
import { startProcess } from '../support/process.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import {
  makeDatabase,
  openService,
  type TestDatabase,
  type TestService,
  workspaceId,
} from '../support/service.ts'

const settings = {
  PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
  PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
  PARLEY_WEBHOOK_BACKOFF_SECONDS: '0.2',
}

let database: TestDatabase
let db: ReturnType<typeof openDb>
const closing: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  database = await makeDatabase()
  db = openDb({ connectionString: database.url }, connections, () => {})
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await db.close()
  await database.close()
})

const receive = async () => {
  const receiver = await openReceiver()
  closing.push(receiver.close)
  return receiver
}
const serve = async (env: Record<string, string> = {}) => {
  const service = await openService({ ...settings, ...env }, database)
  closing.push(service.close)
  return service
}
const subscribe = async (service: TestService, { url }: Receiver, agentId?: string) => {
  const body = { url, events: ['call.completed'], ...(agentId && { agent_id: agentId }) }
  return (await service.ask('POST', '/webhooks', { body })).body.data as {
    webhook_id: string
    secret: string
  }
}
const newAgent = async (service: TestService): Promise<string> =>
  (await service.ask('POST', '/agents', { body: { agent_config: { agent_name: 'x', llm_agent: {} } } })).body
    .data.agent_id

const ending = {
  callStatus: 'completed',
  duration: 1,
  callSid: null,
  completedAt: null,
  terminatedBy: 'user',
  transcript: null,
  recording: null,
  analytics: null,
}
// As many at a time as there are connections: on a crowded machine the last of hundreds would wait too long for one.
const connections = 4
async function endCalls(count: number, agentId: string = randomUUID(), end = {}): Promise<void> {
  const book = calls(db, 0)
  let left = count
  const endOneByOne = async () => {
    while (left-- > 0) {
      const begun = await book.begin({ workspaceId, agentId, callType: 'outbound', toPhoneNumber: null })
      await book.finish(begun, { ...ending, ...end })
    }
  }
  await Promise.all(Array.from({ length: connections }, endOneByOne))
}
const count = async (where: string, values: unknown[] = []) =>
  (await database.query<{ n: number }>(`SELECT count(*)::int AS n FROM deliveries WHERE ${where}`, values))[0]
    ?.n

it('a delivery is verified by the official stripe package, and by our own', async () => {
  const service = await serve()
  const receiver = await receive()
  const { secret } = await subscribe(service, receiver)
  await endCalls(1)
  await expect.poll(() => receiver.received.length).toBe(1)
  const { body, headers } = receiver.received[0] as Receiver['received'][0]
  const stripe = new Stripe('sk_test_of_nobody')
  const event = stripe.webhooks.constructEvent(body, headers['x-svc-signature'] as string, secret)
  expect(event).toEqual(verifyWebhook({ body, headers, secret }))
  expect(() =>
    stripe.webhooks.constructEvent(`${body} `, headers['x-svc-signature'] as string, secret),
  ).toThrow()
})

it('a delivery is valid JSON whatever the call contains', async () => {
  const service = await serve()
  const receiver = await receive()
  await subscribe(service, receiver)
  const end = {
    callSid: 'a "quote", a \\ and\na line; ünïcödé 🙂',
    terminatedBy: null,
    duration: 0.1,
    transcript: [{ role: 'user', content: '{"not": "a member"}' }],
    recording: { url: 'https://x.example/"', expiry: null },
    analytics: { summary: 'say "hi"', sentiment: null, disposition: { label: '\\' } },
  }
  await endCalls(1, undefined, end)
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(JSON.parse(receiver.received[0]?.body ?? '').data).toMatchObject({
    call_sid: end.callSid,
    call_terminated_by: null,
    duration: 0.1,
    transcript: end.transcript,
    recording: end.recording,
    analytics: { ...end.analytics, data_extraction: null },
  })
})

it('deliveries reach healthy endpoints while hundreds to one that never answers are pending', async () => {
  const service = await serve()
  const [hole, healthy] = [await receive(), await receive()]
  hole.answers.push(...Array.from({ length: 2_000 }, () => -1))
  const [agentOfHole, agentOfHealthy] = [await newAgent(service), await newAgent(service)]
  const bad = await subscribe(service, hole, agentOfHole)
  await subscribe(service, healthy, agentOfHealthy)
  await endCalls(300, agentOfHole)
  await expect.poll(() => hole.received.length).toBeGreaterThan(0)
  await endCalls(100, agentOfHealthy)
  await expect.poll(() => healthy.received.length).toBe(100)
  // No delivery to the unresponsive endpoint has ended yet, and no more than its share was started.
  expect(await count("webhook_id = $1 AND status IN ('delivered', 'failed')", [bad.webhook_id])).toBe(0)
  expect(hole.received.length).toBeLessThanOrEqual(128)
  await service.ask('DELETE', `/webhooks/${bad.webhook_id}`)
  hole.answers.length = 0
  await hole.close()
})

it('deliveries are claimed with their publication, as far as their endpoint has places', async () => {
  // No attempt ends by itself, so the places stay taken.
  const service = await serve({ PARLEY_WEBHOOK_TIMEOUT_SECONDS: '300' })
  const receiver = await receive()
  receiver.answers.push(...Array.from({ length: 128 }, () => -1))
  const { webhook_id } = await subscribe(service, receiver)
  await database.query(`
    CREATE TABLE at_insert (claimed_by integer);
    CREATE FUNCTION note_claim() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO at_insert VALUES (NEW.claimed_by);
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_claim AFTER INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION note_claim()`)
  const claimed = async () =>
    (await database.query<{ n: number }>('SELECT count(claimed_by)::int AS n FROM at_insert'))[0]?.n
  await endCalls(128)
  await expect.poll(() => receiver.received.length).toBe(128)
  expect(await claimed()).toBe(128)
  await endCalls(20)
  await expect.poll(() => count("status = 'queued'")).toBe(148)
  expect(await claimed()).toBe(128)
  expect(await count('claimed_by IS NULL')).toBe(20)
  await service.ask('DELETE', `/webhooks/${webhook_id}`)
  await receiver.close()
})

it('each delivery is sent once by two workers that share the backlog', async () => {
  const [one] = [await serve(), await serve()] as const
  const receiver = await receive()
  await subscribe(one, receiver)
  await endCalls(400)
  await expect.poll(() => count("status = 'delivered'")).toBe(400)
  expect(receiver.received.length).toBe(400)
  expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery-id'])).size).toBe(400)
})

it('a delivery is taken over from a worker that was killed while sending it', async () => {
  const env = { ...settings, DATABASE_URL: database.url, PARLEY_SECRET: 'a secret for tests only' }
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-victim-'))
  closing.push(() => rm(dataDir, { recursive: true }))
  const victim = await startProcess({ ...env, PARLEY_DATA_DIR: dataDir })
  // This one creates the endpoint and does not deliver.
  const service = await serve({ PARLEY_ROLES: 'api' })
  const receiver = await receive()
  receiver.answers.push(-1)
  await subscribe(service, receiver)
  await endCalls(1)
  await expect.poll(() => receiver.received.length).toBe(1)
  await victim.end('SIGKILL')
  await serve({ PARLEY_ROLES: 'worker' })
  await expect.poll(() => count("status = 'delivered'")).toBe(1)
  expect(receiver.received.length).toBe(2)
  const [first, second] = receiver.received as [Receiver['received'][0], Receiver['received'][0]]
  expect(second.headers['x-svc-delivery-id']).toBe(first.headers['x-svc-delivery-id'])
  expect(second.body).toBe(first.body)
})

it('delivery resumes after every database connection was closed', async () => {
  const service = await serve()
  const receiver = await receive()
  await subscribe(service, receiver)
  await endCalls(50)
  await database.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'parley%'",
  )
  await expect
    .poll(() =>
      endCalls(50).then(
        () => true,
        () => after(50, false),
      ),
    )
    .toBe(true)
  await expect.poll(() => count("status = 'delivered'")).toBeGreaterThanOrEqual(100)
  expect(await count("status IN ('failed', 'cancelled')")).toBe(0)
})
