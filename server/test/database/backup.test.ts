// A back-up of a running installation, restored on empty machines: everything is there, nothing is written over, and
// half a back-up is none.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import S3rver from '@20minutes/s3rver'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { backUp, restore } from '../../src/main/backup.ts'
import { openInfrastructure } from '../../src/main/infrastructure.ts'
import { type Config, readConfig } from '../../src/platform/config.ts'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import { openStorage } from '../../src/platform/storage/open-storage.ts'
import { newAgent } from '../support/call-fixture.ts'
import { makeDatabase, openService, type TestDatabase, workspaceId } from '../support/service.ts'

const command = fileURLToPath(new URL('../../bin/parley.mjs', import.meta.url))
const secret = 'a secret for tests only'
const silent = pino({ level: 'silent' })

let folder: string
let store: S3rver
let storePort: number
let source: TestDatabase
let config: Config
let recordingId: string
const uploadId = randomUUID()
const archiveFile = 'calls-2026-01-02.jsonl.gz'
const sound = Buffer.alloc(300_000, 'sound ')

const configFor = (name: string, database: string, bucket: string) =>
  readConfig({
    PARLEY_DATA_DIR: join(folder, name),
    DATABASE_URL: database,
    PARLEY_SECRET: secret,
    PARLEY_S3_ENDPOINT: `http://127.0.0.1:${storePort}`,
    PARLEY_S3_BUCKET: bucket,
    PARLEY_S3_ACCESS_KEY_ID: 'S3RVER',
    PARLEY_S3_SECRET_ACCESS_KEY: 'S3RVER',
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-backup-'))
  const buckets = ['first', 'second'].map((name) => ({ name, configs: [] }))
  store = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: buckets,
  })
  storePort = (await store.run()).port
  source = await makeDatabase()
  config = configFor('first', source.url, 'first')
  await fill()
})
afterAll(async () => {
  await store?.close()
  await source?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Rows of many kinds, made by the service itself, and files in the store. */
async function fill(): Promise<void> {
  const service = await openService({ PARLEY_ROLES: 'api', PARLEY_SECRET: secret }, source)
  // Calls from now on are in another partition.
  await source.query("SELECT announce_bound('calls', 'session_id', now()), bound_first('calls', now())")
  const agentId = await newAgent(service, {
    agent_name: 'Ada "quoted"\t\\ and ünïcode',
    llm_agent: { llm_config: { model: 'm', api_key: 'sk-live-0123456789abcdef' } },
  })
  await service.ask('PATCH', `/agents/${agentId}`, {
    body: { agent_config: { agent_name: 'Grace\nHopper' } },
  })
  await service.ask('POST', '/webhooks', { body: { url: 'https://8.8.8.8/', events: ['call.completed'] } })
  const call = { agent_id: agentId, to_phone_number: '+15550100' }
  const { body } = await service.ask('POST', '/calls', { body: call })
  recordingId = body.data.session_id
  await source.query("UPDATE calls SET recording = '{}' WHERE session_id = $1", [recordingId])
  await source.query(
    "INSERT INTO speech_files (file_id, workspace_id, media_type, bytes, expires_at) VALUES ($1, $2, 'audio/wav', 4, 'infinity')",
    [uploadId, workspaceId],
  )
  await source.query(
    "INSERT INTO archives (archive_id, log, day, file) VALUES ($1, 'calls', '2026-01-02', $2)",
    [...[randomUUID(), archiveFile]],
  )
  await service.close()
  await mkdir(join(folder, 'in'))
  const put = async (name: string, content: Buffer) => {
    await writeFile(join(folder, 'in', name), content)
    return join(folder, 'in', name)
  }
  await (await openStorage(config, 'recordings')).take(`${recordingId}.wav`, await put('a', sound))
  await (await openStorage(config, 'uploads')).take(uploadId, await put('b', Buffer.from('WAVE')))
  await (await openStorage(config, 'archive')).take(archiveFile, await put('c', Buffer.from('{}')))
}

/** A database with nothing in it. */
async function emptyDatabase(): Promise<{ url: string; client: pg.Client }> {
  const name = `restored_${randomUUID().replaceAll('-', '')}`
  const root = { host: inject('postgresSocket'), user: 'parley' }
  const admin = new pg.Client({ ...root, database: 'postgres' })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`)
  await admin.end()
  const client = new pg.Client({ ...root, database: name })
  await client.connect()
  return { url: `postgresql://parley@${encodeURIComponent(root.host)}/${name}`, client }
}

type Query = <Row extends object>(sql: string) => Promise<Row[]>

/** A checksum for each table, and all triggers with their states. */
async function contentOf(query: Query): Promise<object> {
  const tables = await query<{ name: string }>(`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition AND relname NOT LIKE 'schema_%' AND relname NOT IN ('rate_limits', 'cached_speech') ORDER BY 1`)
  const content: Record<string, unknown> = {}
  for (const { name } of tables)
    content[name] = await query(
      `SELECT count(*), md5(string_agg(t::text, E'\\n' ORDER BY t::text)) FROM ${name} t`,
    )
  content.triggers = await query(
    'SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid WHERE NOT tgisinternal AND NOT relispartition ORDER BY 1, 2',
  )
  return content
}

const bytesIn = async (stream: AsyncIterable<Buffer>) => {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}

const noProgress = () => {}
let file: string

it('is one file, readable by its owner only, without the secret', async () => {
  file = join(folder, 'parley.tar.gz')
  const infrastructure = await openInfrastructure(config, silent)
  const report = await backUp(infrastructure, file, { withFiles: true, onProgress: noProgress })
  await infrastructure.close()
  expect(report).toMatchObject({ files: 3, missing: 0, secret: expect.stringMatching(/^[0-9a-f]{16}$/) })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).not.toContain('parley.tar.gz.part')
})

it('is restored into an empty PostgreSQL and another bucket, row by row and byte by byte', async () => {
  const target = await emptyDatabase()
  const there = configFor('second', target.url, 'second')
  expect(await restore(there, file, noProgress)).toMatchObject({ files: 3, missing: 0 })
  expect(await contentOf(async (sql) => (await target.client.query(sql)).rows)).toEqual(
    await contentOf(source.query),
  )
  const recordings = await openStorage(there, 'recordings')
  const last = sound.length - 1
  expect(await bytesIn(await recordings.read(`${recordingId}.wav`, { first: 0, last }))).toEqual(sound)
  expect(await (await openStorage(there, 'uploads')).stat(uploadId)).toMatchObject({ bytes: 4 })
  expect(await (await openStorage(there, 'archive')).stat(archiveFile)).toMatchObject({ bytes: 2 })
  await expect(restore(there, file, noProgress)).rejects.toThrow(/The database is in use|is not empty/)
  await target.client.end()
})

it('half of it, another secret or another file is refused, and nothing is stored', async () => {
  const target = await emptyDatabase()
  const there = configFor('third', target.url, 'second')
  const half = join(folder, 'half.tar.gz')
  await writeFile(half, await readFile(file))
  await truncate(half, Math.floor((await stat(half)).size / 2))
  await expect(restore(there, half, noProgress)).rejects.toThrow(/incomplete/)
  const { rows } = await target.client.query('SELECT FROM workspaces')
  expect(rows).toEqual([])
  const stranger = { ...there, secret: 'another secret altogether' }
  await expect(restore(stranger, file, noProgress)).rejects.toThrow(
    /needs the secret with the fingerprint [0-9a-f]{16}/,
  )
  const nowhere = join(folder, 'nothere.tar.gz')
  await expect(restore(there, nowhere, noProgress)).rejects.toThrow(new Refusal(`${nowhere} does not exist.`))
  await writeFile(join(folder, 'other.tar.gz'), 'hello')
  await expect(restore(there, join(folder, 'other.tar.gz'), noProgress)).rejects.toThrow(/not a back-up/)
  // What was refused leaves room for what is right.
  expect(await restore(there, file, noProgress)).toMatchObject({ files: 3 })
  await target.client.end()
})

it('moves to a machine with the embedded database, which the commands then back up', async () => {
  const dataDir = join(folder, 'embedded')
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'secret'), secret)
  const parley = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const env = { PATH: process.env.PATH, PARLEY_DATA_DIR: dataDir }
      execFile(process.execPath, [command, '--json', ...args], { env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      )
    })
  // As a service would keep it running.
  const postgres = await startEmbeddedPostgres(dataDir)
  const client = new pg.Client(postgres.connection)
  await client.connect()
  const restored = await parley('restore', file)
  expect(restored.err).toBe('')
  expect(JSON.parse(restored.out)).toMatchObject({ files: 3 })
  expect(await contentOf(async (sql) => (await client.query(sql)).rows)).toEqual(
    await contentOf(source.query),
  )
  expect(await readFile(join(dataDir, 'recordings', `${recordingId}.wav`))).toEqual(sound)
  const again = join(folder, 'again.tar.gz')
  expect(JSON.parse((await parley('backup', again)).out)).toMatchObject({ file: again, files: 3, missing: 0 })
  expect((await parley('restore', again)).err).toMatch(/The database is in use|is not empty/)
  await client.end()
  await postgres.stop()
})
