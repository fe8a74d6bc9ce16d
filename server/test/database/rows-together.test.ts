// Rows of many requests share a statement; each still succeeds or fails on its own.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Db, openDb, statement, statementOfRows } from '../../src/platform/db/db.ts'
import { makeDatabase, type TestDatabase } from '../support/service.ts'

let database: TestDatabase
let db: Db
const insert = statementOfRows(
  'INSERT INTO things (name, about) SELECT * FROM unnest($1::text[], $2::json[])',
)
const insertOther = statement('INSERT INTO others (name) VALUES ($1)')
const insertEcho = statementOfRows('INSERT INTO echoes (name) SELECT * FROM unnest($1::text[])')

const thing = (name: string) => ({
  statement: insert,
  values: [name, JSON.stringify({ name, odd: '"{},\\NULL' })],
})
const names = async (table: string) =>
  (await database.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY name`)).map(({ name }) => name)

beforeAll(async () => {
  database = await makeDatabase()
  await database.query(
    'CREATE TABLE things (name text PRIMARY KEY, about json NOT NULL, written xid8 DEFAULT pg_current_xact_id())',
  )
  await database.query('CREATE TABLE others (name text PRIMARY KEY)')
  await database.query('CREATE TABLE echoes (name text PRIMARY KEY)')
  db = openDb({ connectionString: database.url }, 4, () => {})
})
afterAll(async () => {
  await db?.close()
  await database?.close()
})

it('a hundred at once are written, in far fewer transactions, each with its own values', async () => {
  const wanted = Array.from({ length: 100 }, (_, at) => `many-${String(at).padStart(3, '0')}`)
  await Promise.all(wanted.map((name) => db.atomically([thing(name)])))
  expect(await names('things')).toEqual(wanted)
  const [{ transactions, right }] = (await database.query<{ transactions: number; right: number }>(
    "SELECT count(DISTINCT written)::int AS transactions, count(*) FILTER (WHERE about->>'name' = name)::int AS right FROM things",
  )) as [{ transactions: number; right: number }]
  expect(right).toBe(100)
  expect(transactions).toBeLessThan(10)
})

it('one that the database refuses does not fail the others', async () => {
  const wanted = Array.from({ length: 30 }, (_, at) => `some-${at}`)
  const outcomes = await Promise.allSettled(
    [...wanted, 'many-000', 'many-001'].map((name) => db.atomically([thing(name)])),
  )
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...wanted.map(() => 'fulfilled'),
    'rejected',
    'rejected',
  ])
  expect(await names('things')).toEqual(expect.arrayContaining(wanted))
})

it('the rows of one request are written together or not at all', async () => {
  const pair = (name: string) => db.atomically([thing(name), { statement: insertEcho, values: [name] }])
  await pair('pair-taken')
  await database.query("DELETE FROM things WHERE name = 'pair-taken'")
  const outcomes = await Promise.allSettled(['pair-a', 'pair-taken', 'pair-b'].map(pair))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await names('echoes')).toEqual(['pair-a', 'pair-b', 'pair-taken'])
  expect(await names('things')).not.toContain('pair-taken')
})

it('a row can be combined with a statement that inserts none', async () => {
  await db.atomically([thing('joined'), { statement: insertOther, values: ['joined'] }])
  expect(await names('others')).toEqual(['joined'])
  expect(await names('things')).toContain('joined')
})

it('when the connection breaks, every request in the statement fails', async () => {
  const broken = openDb({ connectionString: database.url }, 1, () => {})
  await broken.atomically([thing('before')])
  await database.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database() AND application_name = 'parley'",
  )
  const outcomes = await Promise.allSettled(
    [...'abcd'].map((name) => broken.atomically([thing(`cut-${name}`)])),
  )
  const written = new Set(await names('things'))
  for (const [at, { status }] of outcomes.entries()) {
    if (status === 'fulfilled') expect(written).toContain(`cut-${'abcd'[at]}`)
  }
  await expect
    .poll(() =>
      broken.atomically([thing(`after-${Math.random()}`)]).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await broken.close()
})
