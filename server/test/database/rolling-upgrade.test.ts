// The last release beside this one on one database: it goes on working while this one migrates it, both do the same
// work, and what one begins the other can end. Under load and for longer: faults/rolling-upgrade.ts.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { noLastRelease, unpackLastRelease } from '../../../faults/last-release.ts'
import { itUnless } from '../props/unless.ts'
import { alike, becomes, command, newBatch } from '../support/batch-fixture.ts'
import { newAgent, placeCall } from '../support/call-fixture.ts'
import { emptyDatabase } from '../support/database/empty-database.ts'
import { startProcess } from '../support/process.ts'
import { openReceiver } from '../support/receiver.ts'
import { scriptedRunner } from '../support/scripted-runner.ts'
import { boundKey, openService, type TestService, workspaceId } from '../support/service.ts'

const settings = {
  PARLEY_SECRET: 'a secret for tests only',
  PARLEY_WORKSPACE_ID: workspaceId,
  PARLEY_WORKSPACE_API_KEY: boundKey,
  PARLEY_DATABASE_CONNECTIONS: '10',
  PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
  PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
  PARLEY_LOG_FORMAT: 'json',
}
const callsEach = 5

itUnless(noLastRelease, 'the last release and this one work side by side on one database', async () => {
  const release = unpackLastRelease()
  onTestFinished(() => release.remove())
  const database = await emptyDatabase()
  onTestFinished(() => database.close())
  const receiver = await openReceiver()
  onTestFinished(() => receiver.close())

  const program = join(release.folder, 'server/test/support/media-process.ts')
  const env = { ...settings, PARLEY_DATA_DIR: join(release.folder, 'data'), DATABASE_URL: database.url }
  const process = await startProcess(env, { program })
  onTestFinished(async () => void (await process.end('SIGKILL')))
  const old = clientOf(process.url)
  const subscribed = await old.ask('POST', '/webhooks', {
    body: { url: receiver.url, events: ['call.completed'] },
  })
  expect(subscribed.status, subscribed.text).toBe(201)
  const agentId = await newAgent(old)
  const prepared = await newBatch(old, { agent_id: agentId, recipients: alike(callsEach) })

  const runner = scriptedRunner()
  const now = await openService({ ...settings, PARLEY_DRAIN_SECONDS: '0' }, database, () => runner)
  onTestFinished(() => now.close())

  const agents = [await newAgent(old), await newAgent(now)]
  for (const service of [old, now]) {
    const { body } = await service.ask('GET', '/agents?limit=100')
    const listed = body.data.data.map((agent: { agent_id: string }) => agent.agent_id)
    expect(listed).toEqual(expect.arrayContaining([agentId, ...agents]))
    // Changed by one, read by the other.
    for (const id of agents) expect((await service.ask('GET', `/agents/${id}`)).status).toBe(200)
  }
  const placed: string[] = []
  for (let nth = 0; nth < callsEach; nth++)
    for (const service of [old, now]) placed.push(await placeCall(service, agents[nth % 2] ?? agentId))
  await command(now, prepared, 'execute')
  const another = await newBatch(now, { agent_id: agentId, recipients: alike(callsEach) })
  await command(old, another, 'execute')
  for (const id of [prepared, another])
    expect(await becomes(old, id, 'completed')).toMatchObject({ counts: { completed: callsEach } })

  const arrived = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).data.session_id)).size
  await expect.poll(arrived).toBe(4 * callsEach)
  for (const sessionId of placed) {
    const details = await Promise.all(
      [old, now].map(async (service) => (await service.ask('GET', `/call/detail/${sessionId}`)).body.data),
    )
    for (const detail of details) expect(detail).toMatchObject({ call_status: 'completed' })
  }
  const complaints = process
    .output()
    .split('\n')
    .filter((line) => /"level":(50|60|"error"|"fatal")/.test(line))
  expect(complaints).toEqual([])

  expect(await process.end()).toBe(0)
  await placeCall(now, agentId)
  await expect.poll(arrived).toBe(4 * callsEach + 1)
})

/** Requests to the process, as the shared fixtures make them. */
function clientOf(url: string): TestService {
  const ask: TestService['ask'] = async (method, path, { headers = {}, body } = {}) => {
    const response = await fetch(`${url}/agent/v1${path}`, {
      method,
      headers: {
        'x-api-key': boundKey,
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text ? JSON.parse(text) : undefined,
    }
  }
  return { url, ask } as TestService
}
