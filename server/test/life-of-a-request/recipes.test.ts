// The recipes of the documentation: every command, as it is written, against a whole service. Calls are scripted: what they
// sound like is the matter of other tests.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyWebhook } from '@parley/sdk/webhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EmbeddingServer, openEmbeddingServer } from '../props/servers/embedding-server.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { scriptedRunner } from '../support/scripted-runner.ts'
import { boundKey, openService, type TestService } from '../support/service.ts'

let embeddings: EmbeddingServer
let receiver: Receiver
let service: TestService
let folder: string

beforeAll(async () => {
  embeddings = await openEmbeddingServer()
  receiver = await openReceiver()
  service = await openService(
    {
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
      PARLEY_DRAIN_SECONDS: '0',
      PARLEY_TRUSTED_HOSTS: '127.0.0.1',
      PARLEY_EMBEDDINGS_BASE_URL: embeddings.baseUrl,
      PARLEY_EMBEDDINGS_MODEL: 'words',
      PARLEY_EMBEDDINGS_API_KEY: 'sk-words',
    },
    undefined,
    () => scriptedRunner(4),
  )
  folder = await mkdtemp(join(tmpdir(), 'parley-recipes-'))
  await mkdir(join(folder, 'data'))
  await writeFile(join(folder, 'data/first-run.json'), JSON.stringify({ workspace_api_key: boundKey }))
})
afterAll(async () => {
  await service?.close()
  await receiver?.close()
  await embeddings?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The commands of a recipe, with the addresses of this service and of this receiver. */
async function commandsOf(recipe: string): Promise<string> {
  const markdown = await readFile(
    new URL(`../../../docs/guide/recipes/${recipe}.md`, import.meta.url),
    'utf8',
  )
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, commands = '']) => commands)
  expect(blocks.length).toBeGreaterThan(2)
  return blocks
    .join('\n')
    .replace('http://localhost:8080', service.url)
    .replace('https://hooks.example.com/parley', receiver.url)
}

/** What they print. */
async function follow(recipe: string): Promise<string> {
  const script = await commandsOf(recipe)
  return new Promise((resolve, reject) => {
    // As somebody types them, but for the first failure, which ends it.
    execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder }, (error, out, err) =>
      error ? reject(new Error(`${recipe}: ${error.message}\n${out}\n${err}`)) : resolve(out),
    )
  })
}

const rows = (sql: string) => service.database.query<Record<string, unknown>>(sql)

it('a reception on a number', async () => {
  expect(await follow('reception')).toContain('"inbound_agent_id"')
  expect(await rows("SELECT call_status FROM calls WHERE call_type = 'outbound'")).toEqual([
    { call_status: 'completed' },
  ])
})

it('reminders from a CSV', async () => {
  const printed = await follow('reminders')
  expect(printed).toContain('p-18')
  expect(await rows('SELECT status, attempts FROM batch_recipients')).toEqual(
    Array(3).fill({ status: 'completed', attempts: 1 }),
  )
})

it('a survey with its analysis to a webhook', async () => {
  expect(await follow('survey')).toContain('data_extraction')
  const { data } = JSON.parse(await readFile(join(folder, 'webhook.json'), 'utf8'))
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
  const { body, headers } = receiver.received[0] ?? { body: '', headers: {} }
  expect(verifyWebhook({ body, headers, secret: data.secret }).type).toBe('call.completed')
})

it('support with knowledge', async () => {
  expect(await follow('support-with-knowledge')).toContain('within 30 days')
})

it('transfer to a person', async () => {
  await follow('transfer-to-a-person')
  const [agent] = await rows(
    "SELECT config -> 'call_transfer_config' -> 'destinations' -> 0 ->> 'mode' AS mode FROM agents WHERE config ->> 'agent_name' = 'Front desk'",
  )
  expect(agent).toEqual({ mode: 'warm' })
})

it('bring your own model', async () => {
  const printed = await follow('bring-your-own-model')
  expect(printed).toContain('my-model')
  expect(printed).not.toContain('sk-my-own-secret-key')
})

it('a Twilio trunk', async () => {
  const printed = await follow('twilio-trunk')
  expect(printed).toMatch(/"ok": ?false/)
  expect(printed).not.toContain('the-password-of-the-credential-list')
})

it('a Telnyx trunk', async () => {
  const printed = await follow('telnyx-trunk')
  expect(printed).toMatch(/"ok": ?false/)
  expect(printed).not.toContain('the-password-of-the-connection')
})
