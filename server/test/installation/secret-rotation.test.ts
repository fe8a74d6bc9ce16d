// The secret is replaced while a service runs on a database of an earlier release: everything stays readable, also
// after a rotation that was killed, and nothing of the former secret is left.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sealedColumns } from '../../src/main/sealed-columns.ts'
import type { Config } from '../../src/platform/config.ts'
import { openDb } from '../../src/platform/db/db.ts'
import { readOwnSecrets } from '../../src/platform/own-secret.ts'
import {
  agreeOnSecret,
  followRotation,
  forgetSecret,
  rotateSecret,
} from '../../src/platform/secret-rotation.ts'
import { openVault, type Vault } from '../../src/platform/secrets.ts'
import { newAgent } from '../support/call-fixture.ts'
import {
  makeDatabase,
  openService,
  type TestDatabase,
  type TestService,
  workspaceId,
} from '../support/service.ts'

const command = fileURLToPath(new URL('../../bin/parley.mjs', import.meta.url))
const [former, present] = ['the secret of the first year', 'the secret of the second year']
const newSecrets = { PARLEY_SECRET: present, PARLEY_SECRET_PREVIOUS: former }

let database: TestDatabase
beforeAll(async () => {
  database = await makeDatabase()
  // As release 0.1 left it.
  await database.query("INSERT INTO installation VALUES ('secret fingerprint', $1)", [
    openVault(former).fingerprint,
  ])
})
afterAll(() => database?.close())

const startCommand = (env: Record<string, string>, ...args: string[]) => {
  const child = spawn(process.execPath, [command, '--json', ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: database.url, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, result: async () => ({ code: await ended, output }) }
}

/** Every sealed value, by its column. */
async function valuesOf(column: (typeof sealedColumns)[number]) {
  return database.query<{ place: string; sealed: Buffer }>(
    `SELECT (${column.place})::text AS place, t.${column.column} AS sealed FROM ${column.table} t
     WHERE t.${column.column} IS NOT NULL`,
  )
}

/** One in every column that the service itself does not fill here. */
async function fillTheRest(vault: Vault, session: string): Promise<void> {
  const erasure = randomUUID()
  const seal = (purpose: string, place: string) => vault.seal(workspaceId, purpose, place, '{}')
  const [call] = await database.query<{ agent_id: string }>('SELECT agent_id FROM calls')
  await database.query(
    'INSERT INTO vendor_credentials (workspace_id, vendor, sealed, shown) VALUES ($1, $2, $3, $4)',
    [...[workspaceId, 'deepgram', seal('vendor credentials', `${workspaceId}/deepgram`), '{}']],
  )
  await database.query(
    "INSERT INTO erasures (erasure_id, workspace_id, caller, due_at) VALUES ($1, $2, $3, now() + interval '1 day')",
    [erasure, workspaceId, seal('caller to erase', erasure)],
  )
  await database.query("INSERT INTO call_states VALUES ($1, 'sip', $2)", [
    session,
    seal('call-state', session),
  ])
  await database.query("INSERT INTO call_drafts (session_id, config, secrets) VALUES ($1, '{}', $2)", [
    ...[session, seal('agent secrets', call?.agent_id ?? '')],
  ])
  await database.query('INSERT INTO callback_secrets VALUES ($1, $2)', [
    ...[workspaceId, seal('callback secret', workspaceId)],
  ])
}

/** Does the part of a start that depends on the secret. */
async function startWith(secret: string): Promise<void> {
  const db = openDb({ connectionString: database.url }, 2, () => {})
  const parts = { config: { secret } as Config, db, vault: openVault(secret) }
  await agreeOnSecret(parts, pino({ level: 'silent' })).finally(() => db.close())
}

const makeWebhook = (service: TestService, key: string = randomUUID()) =>
  service.ask('POST', '/webhooks', {
    headers: { 'idempotency-key': key },
    body: { url: 'https://8.8.8.8/hook', events: ['call.completed'] },
  })

it('everything is sealed anew beside the running service, which a killed rotation does not disturb', async () => {
  const roles = { PARLEY_ROLES: 'api' }
  const before = await openService({ ...roles, PARLEY_SECRET: former }, database)
  const llm_agent = { llm_config: { model: 'm', api_key: 'sk-live-0123456789abcdef' } }
  const agentId = await newAgent(before, { llm_agent })
  await before.ask('PATCH', `/agents/${agentId}`, { body: { agent_config: { agent_name: 'Grace' } } })
  const tool = {
    type: 'http',
    name: 'look',
    url: 'https://8.8.8.8/',
    headers: { authorization: 'Bearer 0123456789' },
  }
  await before.ask('POST', '/tools', { body: { ...tool, parameters: { type: 'object', properties: {} } } })
  const trunk = { host: 'trunk.example', username: 'ada', password: 'a very long password' }
  await before.ask('POST', '/phone-numbers', {
    body: { phone_number: '+4930901000', provider: 'sip', credentials: trunk },
  })
  const call = await before.ask('POST', '/calls', {
    body: { agent_id: agentId, to_phone_number: '+15550100' },
  })
  const first = await makeWebhook(before, 'the first')
  const formerVault = openVault(former)
  formerVault.sealWith({ fingerprint: formerVault.fingerprint, perWorkspace: false })
  await fillTheRest(formerVault, call.body.data.session_id)
  const { sample } = (await before.ask('GET', '/voices')).body.data[0]
  const samplePath = new URL(sample.url).pathname + new URL(sample.url).search
  for (const column of sealedColumns) {
    const values = await valuesOf(column)
    expect(values.length, column.table).toBeGreaterThan(0)
    // Processes of release 0.1 can read it.
    for (const { sealed } of values) expect(sealed.toString('latin1', 0, 4)).not.toBe('pky1')
  }
  await before.close()

  const service = await openService({ ...roles, ...newSecrets }, database)
  const made: number[] = []
  let goOn = true
  const traffic = (async () => {
    while (goOn) {
      made.push((await makeWebhook(service)).status)
      // Ten a second are enough to be in the middle of everything.
      await setTimeout(100)
    }
  })()
  const killed = startCommand(newSecrets, 'secret', 'rotate')
  const started = async () => (await valuesOf(sealedColumns[0] as never))[0]?.sealed.toString('latin1', 0, 4)
  await expect.poll(started).toBe('pky1')
  killed.child.kill('SIGKILL')
  await killed.ended

  const status = JSON.parse((await startCommand(newSecrets, 'secret', 'status').result()).output)
  expect(status).toMatchObject({ rotation: 'not finished', keys: 'one for each workspace', next: null })
  const tooEarly = startWith(present)
  await expect(tooEarly).rejects.toThrow(
    'PARLEY_SECRET_PREVIOUS is needed until `parley secret rotate` has finished',
  )

  const rotated = await startCommand(newSecrets, 'secret', 'rotate').result()
  expect(JSON.parse(rotated.output)).toMatchObject({ rotated: true, unreadable: 'none' })
  goOn = false
  await traffic
  expect(new Set(made)).toEqual(new Set([201]))
  expect((await makeWebhook(service, 'the first')).text).toBe(first.text)
  expect((await service.bare('GET', samplePath)).status).toBe(200)
  await service.close()

  const presentVault = openVault(present)
  for (const column of sealedColumns)
    for (const { place, sealed } of await valuesOf(column))
      expect(presentVault.open(column.purpose, place, sealed), column.table).toBeTruthy()
  await startWith(present)
  await expect(startWith(former)).rejects.toThrow('PARLEY_SECRET is not the one this database was made with')
})

it('a secret of our own is replaced in the data directory, and running processes read it there', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-secret-'))
  const own = await makeDatabase()
  const db = openDb({ connectionString: own.url }, 5, () => {})
  const config = { dataDir, secret: undefined } as Config
  const log = pino({ level: 'silent' })
  const { secret } = await readOwnSecrets(dataDir)
  const [running, commanding] = [openVault(secret), openVault(secret)]
  await agreeOnSecret({ config, db, vault: running }, log)
  const following = await followRotation({ config, db, vault: running }, log)
  const sealed = running.seal(workspaceId, 'webhook secret', 'a place', 'whsec_1')
  await own.query("INSERT INTO workspaces (workspace_id, name) VALUES ($1, 'Ada')", [workspaceId])
  await own.query('INSERT INTO callback_secrets VALUES ($1, $2)', [
    workspaceId,
    running.seal(workspaceId, 'callback secret', workspaceId, 'whsec_2'),
  ])

  const parts = { config, db, vault: commanding }
  const broken = rotateSecret(parts, {
    sealedColumns,
    settleMs: 0,
    onProgress() {
      throw new Error('interrupted')
    },
  })
  await expect(broken).rejects.toThrow('interrupted')
  await expect(forgetSecret(parts)).rejects.toThrow('still needed')
  expect(await rotateSecret(parts, { sealedColumns, settleMs: 0 })).toMatchObject({ done: 1, unreadable: [] })

  const fresh = (await readFile(join(dataDir, 'secret'), 'utf8')).trim()
  expect(fresh).not.toBe(secret)
  await expect.poll(() => running.head).toEqual(openVault(fresh).head)
  expect(running.open('webhook secret', 'a place', sealed)).toBe('whsec_1')
  expect((await readOwnSecrets(dataDir)).previous).toEqual([secret])
  await forgetSecret(parts)
  expect(await readOwnSecrets(dataDir)).toEqual({ secret: fresh, previous: [] })
  await following.close()
  await db.close()
  await own.close()
  await rm(dataDir, { recursive: true })
})

// Hashes, ids and files: of no use to whoever reads them, or readable by design.
const notSealed = [
  ...['api_keys.hash', 'sessions.token_hash', 'sign_in_links.token_hash', 'invitations.token_hash'],
  ...['calls.join_token', 'idempotent_answers.cache_key', 'installation.value', 'schema_functions.checksum'],
  ...[
    'knowledge_documents.content_hash',
    'knowledge_contents.content',
    'knowledge_chunks.vector',
    'cached_speech.key',
  ],
]

it('knows every column of the database that holds something sealed', async () => {
  const found = await database.query<{ name: string }>(`
    SELECT relname || '.' || attname AS name FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND atttypid = 'bytea'::regtype`)
  const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(
    found
      .map(({ name }) => name)
      .filter((name) => !notSealed.includes(name))
      .sort(),
  ).toEqual(sealed.sort())
})
