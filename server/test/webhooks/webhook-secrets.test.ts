// A webhook secret must not leak into database files, write-ahead log, logs, lists or other rows.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startProcess } from '../support/process.ts'
import { readIfThere } from '../support/read-if-there.ts'
import { openReceiver } from '../support/receiver.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-secrets-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

async function filesWith(folder: string, needle: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of names.filter((name) => name.isFile())) {
    const path = join(entry.parentPath, entry.name)
    if (readIfThere(path)?.includes(needle)) found.push(path)
  }
  return found
}

it('is on no disk and in no log after creation, rotation, use and replay', async () => {
  const receiver = await openReceiver()
  const key = 'svc_for_the_secrets_test'
  const service = await startProcess({
    PARLEY_DATA_DIR: dataDir,
    PARLEY_WORKSPACE_API_KEY: key,
    PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
    PARLEY_LOG_LEVEL: 'debug',
  })
  const post = async (path: string, idempotencyKey: string, body?: object) => {
    const response = await fetch(`${service.url}/agent/v1${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'idempotency-key': idempotencyKey, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return ((await response.json()) as { data: { webhook_id: string; secret: string } }).data
  }
  const wish = { url: receiver.url, events: ['call.completed'] }
  const { webhook_id, secret } = await post('/webhooks', 'make', wish)
  expect((await post('/webhooks', 'make', wish)).secret).toBe(secret)
  const rotated = await post(`/webhooks/${webhook_id}/rotate-secret`, 'rotate')
  expect((await post(`/webhooks/${webhook_id}/rotate-secret`, 'rotate')).secret).toBe(rotated.secret)
  await post(`/webhooks/${webhook_id}/test`, 'test')

  const client = new pg.Client({ host: join(dataDir, 'run'), user: 'parley', database: 'postgres' })
  await client.connect()
  await client.query('CHECKPOINT')
  // Proof that the search works: a word that is stored in plain text.
  expect((await filesWith(dataDir, '127.0.0.1')).length).toBeGreaterThan(0)
  for (const needle of ['whsec_', secret.slice(6), rotated.secret.slice(6)]) {
    expect(await filesWith(dataDir, needle)).toEqual([])
    expect(service.output()).not.toContain(needle)
  }

  // Encrypted for its row: moved to another endpoint, it cannot be decrypted.
  const other = await post('/webhooks', 'other', wish)
  await client.query('UPDATE webhooks SET secret = (SELECT secret FROM webhooks WHERE webhook_id = $1)', [
    webhook_id,
  ])
  await client.end()
  const moved = await fetch(`${service.url}/agent/v1/webhooks/${other.webhook_id}/test`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'idempotency-key': 'moved' },
  })
  expect(moved.status).toBe(500)
  expect(await service.end()).toBe(0)
  await receiver.close()
})
