// Lists and search on a streaming replica: never behind what was written before, and on the primary while it is away.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Db, openDb, statement } from '../../src/platform/db/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { readPage } from '../../src/platform/db/page.ts'
import { newAgent } from '../support/call-fixture.ts'
import { openService, type TestDatabase } from '../support/service.ts'

const insert = statement('INSERT INTO installation (name, value) VALUES ($1, $2)')
const select = statement(
  'SELECT name, pg_is_in_recovery() AS replica FROM installation WHERE name = $1 LIMIT $2 OFFSET $3',
)
const count = statement('SELECT count(*)::int AS total FROM installation WHERE name = $1')

let folder: string
let primary: EmbeddedPostgres
let replica: EmbeddedPostgres
let db: Db
const faults: Error[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-replica-'))
  const [first, second] = [join(folder, 'a'), join(folder, 'b')]
  primary = await startEmbeddedPostgres(first)
  await migrate(primary.connection)
  await primary.stop()
  await cp(join(first, 'postgres'), join(second, 'postgres'), { recursive: true })
  primary = await startEmbeddedPostgres(first)
  const conninfo = `primary_conninfo = 'host=${join(first, 'run')} user=parley'\n`
  await writeFile(join(second, 'postgres', 'postgresql.auto.conf'), conninfo)
  await writeFile(join(second, 'postgres', 'standby.signal'), '')
  replica = await startEmbeddedPostgres(second)
  db = openDb(primary.connection, 4, (error) => faults.push(error), { replica: replica.connection })
})
afterAll(async () => {
  await db?.close()
  await replica?.stop()
  await primary?.stop()
  await rm(folder, { recursive: true, force: true })
})

let written = 0
/** Writes a row and lists it at once: where it was found. */
async function writeAndList(): Promise<'replica' | 'primary'> {
  const name = `row ${written++}`
  await db.atomically([{ statement: insert, values: [name, Buffer.from('')] }])
  const page = { page: 1, limit: 10 }
  const { rows, total } = await readPage<{ name: string; replica: boolean }>(
    db,
    { select, count },
    [name],
    page,
  )
  expect([rows.map((row) => row.name), total]).toEqual([[name], 1])
  return rows[0]?.replica ? 'replica' : 'primary'
}

const onReplica = async (sql: string) => {
  const client = new pg.Client(replica.connection)
  await client.connect()
  await client.query(sql)
  await client.end()
}

it('a list is read from the replica, with everything that was written before', async () => {
  await expect.poll(writeAndList).toBe('replica')
  const found = new Set<string>()
  for (let round = 0; round < 30; round++) found.add(await writeAndList())
  // On a busy machine it may be behind once in a while.
  expect(found).toContain('replica')
})

it('while the replica is behind, lists are read from the primary', async () => {
  await onReplica('SELECT pg_wal_replay_pause()')
  const reported = faults.length
  for (let round = 0; round < 3; round++) expect(await writeAndList()).toBe('primary')
  expect(faults.slice(reported).map(({ message }) => message)).toContain('the replica is behind')
  await onReplica('SELECT pg_wal_replay_resume()')
  await expect.poll(writeAndList).toBe('replica')
})

it('a service lists what was just created, and goes on without its replica', async () => {
  const urlOf = ({ connection: { host } }: EmbeddedPostgres) =>
    `postgresql://parley@${encodeURIComponent(String(host))}/postgres`
  const client = new pg.Pool(primary.connection)
  const database = { url: urlOf(primary), close: () => client.end() } as TestDatabase
  const service = await openService(
    { PARLEY_DATABASE_READ_URL: urlOf(replica), PARLEY_ROLES: 'api' },
    database,
  )
  const listed = async () => {
    const agentId = await newAgent(service)
    const { body } = await service.ask('GET', '/agents?limit=100')
    expect(body.data.data.map((agent: { agent_id: string }) => agent.agent_id)).toContain(agentId)
  }
  for (let round = 0; round < 10; round++) await listed()
  await replica.stop()
  for (let round = 0; round < 3; round++) await listed()
  expect((await service.ask('GET', '/calls?search=somebody')).status).toBe(200)
  replica = await startEmbeddedPostgres(join(folder, 'b'))
  await expect.poll(writeAndList).toBe('replica')
  await service.close()
  await database.close()
})
