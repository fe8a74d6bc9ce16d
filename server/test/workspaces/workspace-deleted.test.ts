// A workspace that is deleted leaves nothing: no row, no file, no object and no line of the archive.
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import S3rver from '@20minutes/s3rver'
import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { openDecoder } from '../../src/engines/ffmpeg/decoder.ts'
import { type Config, readConfig } from '../../src/platform/config.ts'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { archivedUntil } from '../../src/platform/retention/archive-store.ts'
import { addDays } from '../../src/platform/retention/expiring-log.ts'
import { keepLog } from '../../src/platform/retention/keep-log.ts'
import { openStorage } from '../../src/platform/storage/open-storage.ts'
import { callLog } from '../../src/resources/calls/record/call-log.ts'
import { files } from '../../src/resources/transcripts/files.ts'
import { eventLog } from '../../src/resources/webhooks/event-log.ts'
import { reopenDeletions } from '../../src/resources/workspaces/work.ts'
import { addExpired, fillWorkspace, uploadHeaders, uploadsOf } from '../support/full-workspace.ts'
import { owner, type TestPerson } from '../support/people.ts'
import { startProcess } from '../support/process.ts'
import { openReceiver } from '../support/receiver.ts'
import { openService, workspaceId as others, type TestService } from '../support/service.ts'
import { toneWav } from '../support/speech/sounds.ts'

const secret = 'a secret for tests only'
const name = 'Short-lived'
const longAgo = addDays(new Date(), -400)

let folder: string
let env: Record<string, string>
let config: Config
let service: TestService
let db: Db
let boss: TestPerson
let id: string
const closing: (() => Promise<unknown>)[] = []

/** A service that answers requests and does nothing else, and a new workspace. */
async function begin(openStore: () => Promise<Record<string, string>> = async () => ({})): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'parley-deleted-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  env = {
    PARLEY_DATA_DIR: join(folder, 'data'),
    PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
    ...(await openStore()),
  }
  service = await openService({ ...env, PARLEY_ROLES: 'api' })
  closing.push(() => service.close())
  env = { ...env, DATABASE_URL: service.database.url, PARLEY_SECRET: secret }
  config = readConfig(env)
  db = openDb({ connectionString: service.database.url }, 4, () => {})
  closing.push(() => db.close())
  boss = await owner(service)
  id = (await boss.ask('POST', '/workspaces', { name })).body.data.workspace_id
}
async function openS3(): Promise<Record<string, string>> {
  const store = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 'store'),
    configureBuckets: [{ name: 'parley', configs: [] }],
  })
  const { port } = await store.run()
  closing.push(() => store.close())
  return {
    PARLEY_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    PARLEY_S3_BUCKET: 'parley',
    PARLEY_S3_ACCESS_KEY_ID: 'S3RVER',
    PARLEY_S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
}

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Does the background work until it is closed. */
async function work(more: Record<string, string> = {}): Promise<TestService> {
  const worker = await openService({ ...env, PARLEY_ROLES: 'worker', ...more }, service.database)
  let isOpen = true
  const close = async () => {
    if (isOpen) await worker.close()
    isOpen = false
  }
  closing.push(close)
  return { ...worker, close }
}

/** Records of both workspaces that a worker has archived; the database has them no more. */
async function archive(): Promise<void> {
  for (const workspaceId of [id, others]) await addExpired({ service, workspaceId }, longAgo)
  const worker = await work({ PARLEY_ARCHIVE: 'true' })
  const written = () =>
    service.database.query('SELECT 1 FROM archives WHERE completed_at IS NOT NULL AND records = 2')
  await expect.poll(async () => (await written()).length).toBe(2)
  await worker.close()
  for (const log of [callLog(365), eventLog(30)]) await keepLog(db, log, await archivedUntil(db, log.name))
  expect(await service.database.query('SELECT 1 FROM calls UNION ALL SELECT 1 FROM events')).toEqual([])
}

interface Deletion {
  status: string
  error: string | null
  removed: Record<string, number>
}
const deletion = async (): Promise<Deletion> =>
  (await boss.ask('GET', '/workspace-deletions')).body.data.data[0]
const remove = async () =>
  expect((await boss.ask('POST', `/workspaces/${id}/delete`, { name })).status).toBe(202)
const completed = async (): Promise<Deletion> => {
  const standing = async () => {
    const { status, error } = await deletion()
    return { status, error }
  }
  await expect.poll(standing).toEqual({ status: 'completed', error: null })
  return deletion()
}

/** Every row of every table, as text; a partition counts as its table. */
async function allRows(): Promise<Map<string, string[]>> {
  const tables = await service.database.query<{ name: string }>(`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition AND relname NOT LIKE 'schema_%' ORDER BY 1`)
  const rows = new Map<string, string[]>()
  for (const { name } of tables) {
    const found = await service.database.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`)
    rows.set(
      name,
      found.map(({ row }) => row),
    )
  }
  return rows
}

/** The tables with rows that are not among those. */
const tablesWithMore = (rows: Map<string, string[]>, than: Map<string, string[]>): string[] =>
  [...rows].filter(([name, some]) => some.some((row) => !than.get(name)?.includes(row))).map(([name]) => name)

/** Every file of the installation and every object of its store: where it is, and what is in it. */
async function allFiles(): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const contents = new Map<string, string>()
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const content = await readFile(join(parentPath, name))
    const isPacked = content[0] === 0x1f && content[1] === 0x8b
    contents.set(join(parentPath, name), (isPacked ? gunzipSync(content) : content).toString('latin1'))
  }
  return contents
}

/** The form in which values that are sealed with the key of a workspace name it. */
const sealedFor = (workspaceId: string) => workspaceId.replaceAll('-', '')

// Sealed values of the installation, not of a workspace.
const ofNobody = ['archives', 'installation', 'rate_limits', 'sign_in_links', 'workspaces']
// People, the proof, marks for recordings on other machines, and encrypted answers for a day.
const stays = ['erased_calls', 'idempotent_answers', 'sessions', 'users', 'workspace_deletions']

it.each([
  ['a folder', undefined],
  ['an S3-compatible store', openS3],
])('a workspace with one of everything leaves nothing behind, with %s', async (_, openStore) => {
  await begin(openStore)
  const receiver = await openReceiver()
  closing.push(() => receiver.close())
  await archive()
  const wide = { label: 'Wide', access: [id, others] }
  expect((await boss.ask('POST', '/keys', wide)).status).toBe(201)
  const both = [id, others].map((workspace_id) => ({ workspace_id, role: 'viewer' }))
  const shared = { email: 'shared@example.com', workspaces: both }
  expect((await boss.ask('POST', '/invitations', shared)).status).toBe(201)
  const [rowsBefore, filesBefore] = [await allRows(), await allFiles()]

  await fillWorkspace({ service, config, db, boss, workspaceId: id, url: receiver.url })
  const full = await allRows()
  const unfilled = ['workspace_deletions', 'erased_calls', ...ofNobody]
  expect(tablesWithMore(full, rowsBefore)).toEqual(
    [...full.keys()].filter((table) => !unfilled.includes(table)),
  )
  expect((await allFiles()).size).toBeGreaterThanOrEqual(filesBefore.size + 4)

  await remove()
  await work()
  expect(await completed()).toMatchObject({
    error: null,
    progress: 1,
    removed: { calls: 5, recordings: 2, files: 2, archived: 2 },
  })

  const after = await allRows()
  const may = [...stays, ...ofNobody]
  expect(tablesWithMore(after, rowsBefore).filter((table) => !may.includes(table))).toEqual([])
  const naming = (spelling: string) =>
    [...after].filter(([, rows]) => rows.some((row) => row.includes(spelling))).map(([table]) => table)
  expect(naming(id)).toEqual(['workspace_deletions'])
  expect(naming(sealedFor(id))).toEqual([])
  const filesAfter = await allFiles()
  expect([...filesAfter.keys()].toSorted()).toEqual([...filesBefore.keys()].toSorted())
  expect([...filesAfter.values()].join()).not.toContain(id)
  // The other workspace has its call and its event.
  const archived = [...filesAfter]
    .filter(([path]) => path.includes('.jsonl.gz'))
    .map(([, content]) => content)
  expect(archived.join().split(`"workspace_id": "${others}"`)).toHaveLength(3)
})

it('a process that is killed while it writes a file of the archive is followed by another', async () => {
  await begin()
  await archive()
  await remove()
  const holder = new pg.Client({ connectionString: service.database.url })
  await holder.connect()
  closing.push(() => holder.end())
  await holder.query('BEGIN; SELECT 1 FROM archives FOR UPDATE')
  const waits = () =>
    service.database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  const victim = await startProcess({ ...env, PARLEY_ROLES: 'worker' })
  closing.push(() => victim.end('SIGKILL'))
  await expect.poll(async () => (await waits()).length).toBe(1)
  expect((await deletion()).error).toBe('The archive is looked through: file 1 of 2.')
  expect(await deletion()).toMatchObject({ status: 'in_progress', removed: { archived: 0 } })
  await victim.end('SIGKILL')
  await holder.query('ROLLBACK')

  await work()
  expect((await completed()).removed.archived).toBe(2)
  const records = await service.database.query('SELECT log, records::int FROM archives ORDER BY log')
  expect(records).toEqual([
    { log: 'calls', records: 1 },
    { log: 'events', records: 1 },
  ])
  // An unfinished file has records of others only; it is removed an hour later.
  expect([...(await allFiles()).values()].join()).not.toContain(id)
})

it('what cannot be done is told, tried again, and given up for a day only', async () => {
  await begin()
  await archive()
  const [file] = [...(await allFiles()).keys()].filter((path) => path.includes('calls-'))
  const content = await readFile(file ?? '')
  await writeFile(file ?? '', content.subarray(0, 20))
  await remove()
  await work()
  await expect.poll(async () => (await deletion()).error).toContain('It is tried again.')
  expect((await deletion()).status).toBe('in_progress')
  const change = (sql: string) => service.database.query(`UPDATE workspace_deletions SET ${sql}`)
  await change('tries = 100, due_at = now()')
  await expect.poll(async () => (await deletion()).status).toBe('failed')
  expect((await deletion()).error).toContain('it is tried again in a day')

  await writeFile(file ?? '', content)
  await reopenDeletions(db)
  expect((await deletion()).status).toBe('failed')
  await change(`completed_at = now() - interval '25 hours'`)
  await reopenDeletions(db)
  expect(await completed()).toMatchObject({ error: null, removed: { archived: 2 } })
})

it('an upload that was let in before and ends afterwards is deleted too', async () => {
  await begin()
  const place = uploadsOf({ service, workspaceId: id })
  const upload = request(place, { method: 'POST', headers: uploadHeaders(boss) })
  const sound = toneWav(1)
  const answer = once(upload, 'response')
  upload.write(sound.subarray(0, 10_000))
  const incoming = join(config.dataDir, 'uploads', 'incoming')
  await expect.poll(() => readdir(incoming)).toHaveLength(1)
  await remove()
  await work()
  await completed()
  upload.end(sound.subarray(10_000))
  const [response] = (await answer) as [IncomingMessage]
  expect(response.resume().statusCode).toBe(201)
  const stored = () => readdir(join(config.dataDir, 'uploads', 'files'))
  expect(await stored()).toHaveLength(1)

  await reopenDeletions(db)
  // Nobody can create it while it is deleted once more, and it is not deleted a third time.
  expect((await completed()).removed.files).toBe(1)
  expect(await stored()).toEqual([])
  expect(await service.database.query('SELECT 1 FROM speech_files')).toEqual([])
  await reopenDeletions(db)
  expect((await deletion()).status).toBe('completed')
})

it('content of an upload whose row was deleted while it was stored is not left in storage', async () => {
  await begin()
  const storage = await openStorage(config, 'uploads')
  const path = join(folder, 'sound.wav')
  await writeFile(path, toneWav(0.1))
  const desk = files({
    db,
    keptDays: 1,
    decoder: openDecoder({ folder: config.ffmpegDir, maxSeconds: 60 }),
    links: { link: () => ({ url: '', expiry: '' }), isValid: () => false },
    storage: {
      ...storage,
      async take(to, from) {
        await service.database.query('DELETE FROM speech_files')
        await storage.take(to, from)
      },
    },
  })
  await expect(desk.add(id, { path, filename: null })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  expect(await readdir(join(config.dataDir, 'uploads', 'files'))).toEqual([])
})

it('a deletion by a release that left the archive alone is completed, unless its id is in use again', async () => {
  await begin()
  await archive()
  await remove()
  await work()
  await completed()
  await service.database.query('UPDATE workspace_deletions SET archived = NULL')
  await service.database.query('INSERT INTO workspaces (workspace_id, name) VALUES ($1, $2)', [id, 'Anew'])
  await reopenDeletions(db)
  expect((await deletion()).status).toBe('completed')
  await service.database.query('DELETE FROM workspaces WHERE workspace_id = $1', [id])
  await reopenDeletions(db)
  await completed()
  const [row] = await service.database.query('SELECT archived FROM workspace_deletions')
  expect(row).toEqual({ archived: 0 })
})
