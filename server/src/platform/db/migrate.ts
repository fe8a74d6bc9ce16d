// Migrates the database to the newest version; safe when several processes start together while older ones still run.
//
// sql/*.sql are migrations: tables and data, in order, each once. sql/functions/*.sql are functions and triggers: each
// is applied again when its text has changed.
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Refusal } from '../refusal.ts'
import { sha256 } from '../secrets.ts'
import { type Connection, openSession } from './connection.ts'

export const sqlFolder = new URL('../../../sql/', import.meta.url)

// The number is arbitrary, but must never change.
const lockId = 7_270_539_001

// Changing a table or replacing its triggers locks it, and writers queue behind us. So we wait only briefly, and less
// than the second after which PostgreSQL checks for deadlocks: we are the ones to give up.
const lockTimeoutMs = 300
const retryMs = 100
const mostTries = 100

const tables = `
  CREATE TABLE IF NOT EXISTS schema_migrations (
    name       text PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now());
  -- Every version of a function file that was ever applied here.
  CREATE TABLE IF NOT EXISTS schema_functions (
    file       text NOT NULL,
    checksum   bytea NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (file, checksum))`

/** Returns the names of the applied files. */
export const migrate = (connection: Connection, folder: URL = sqlFolder): Promise<string[]> =>
  migrateAlone(connection, async (client) => {
    const migrations = await sqlFilesIn(folder)
    const known = new Set(await namesOf(client, 'SELECT name FROM schema_migrations'))
    const pending = migrations.filter(({ name }) => !known.has(name))
    for (const file of pending) await applyMigration(client, file)
    // Migrations unknown to us mean that a newer release owns the database, including its functions.
    const ours = new Set(migrations.map(({ name }) => name))
    const isNewer = [...known].some((name) => !ours.has(name))
    const functions = isNewer ? [] : await changedFunctions(client, new URL('functions/', folder))
    await applyFunctions(client, functions)
    return [...pending.map(({ name }) => name), ...functions.map(({ name }) => `functions/${name}`)]
  })

/** Brings an empty database to the schema of another one, whose migrations these are; without functions. */
export const migrateTo = (
  connection: Connection,
  names: readonly string[],
  folder: URL = sqlFolder,
): Promise<void> =>
  migrateAlone(connection, async (client) => {
    const files = await sqlFilesIn(folder)
    const unknown = names.find((name) => !files.some((file) => file.name === name))
    if (unknown) throw new Refusal(`It is of a newer release, which has ${unknown}: use that one.`)
    const applied = await namesOf(client, 'SELECT name FROM schema_migrations')
    const further = applied.find((name) => !names.includes(name))
    if (further) throw new Refusal(`The database is not empty: it has ${further}, which the back-up lacks.`)
    const wanted = files.filter(({ name }) => names.includes(name) && !applied.includes(name))
    for (const file of wanted) await applyMigration(client, file)
  })

/** Runs in a session of its own, one process at a time. */
async function migrateAlone<Result>(
  connection: Connection,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  await using client = await openSession({ ...connection, application_name: 'parley migrate' })
  await client.query('SELECT pg_advisory_lock($1)', [lockId])
  await client.query(tables)
  return await act(client)
}

interface SqlFile {
  readonly name: string
  readonly sql: string
}

async function sqlFilesIn(folder: URL): Promise<SqlFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(name, folder), 'utf8') })),
  )
}

const namesOf = async (client: pg.Client, sql: string): Promise<string[]> =>
  (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name)

const applyMigration = (client: pg.Client, { name, sql }: SqlFile): Promise<void> =>
  insistently(client, async () => {
    try {
      await client.query(sql)
    } catch (error) {
      throw new Error(`migration ${name} failed`, { cause: error })
    }
    await client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name])
  })

/** Runs in a transaction that waits only briefly for locks, and is begun again if that was not long enough. */
async function insistently(client: pg.Client, apply: () => Promise<void>): Promise<void> {
  for (let left = mostTries; ; left--) {
    try {
      await client.query('BEGIN')
      await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`)
      await apply()
      await client.query('COMMIT')
      return
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      if (!isLockConflict(error) || left === 1) throw error
      await sleep(retryMs)
    }
  }
}

/** A version that was applied before is either current, or was replaced by a newer release; then ours is outdated. */
async function changedFunctions(client: pg.Client, folder: URL): Promise<SqlFile[]> {
  const applied = new Set(
    await namesOf(client, `SELECT file || ' ' || encode(checksum, 'hex') AS name FROM schema_functions`),
  )
  const files = await sqlFilesIn(folder)
  return files.filter(({ name, sql }) => !applied.has(`${name} ${sha256(sql).toString('hex')}`))
}

/** Applies all functions or none: those of one release belong together. */
async function applyFunctions(client: pg.Client, files: readonly SqlFile[]): Promise<void> {
  if (files.length === 0) return
  await insistently(client, async () => {
    // A function may refer to one in a later file.
    await client.query('SET LOCAL check_function_bodies = off')
    for (const file of files) await applyFunction(client, file)
  })
}

async function applyFunction(client: pg.Client, { name, sql }: SqlFile): Promise<void> {
  try {
    await client.query(sql)
  } catch (error) {
    throw new Error(`functions/${name} failed`, { cause: error })
  }
  await client.query('INSERT INTO schema_functions (file, checksum) VALUES ($1, $2)', [name, sha256(sql)])
}

/** Whether a lock timed out or a deadlock was found; a retry may well succeed. */
const isLockConflict = (error: unknown): boolean => {
  const { cause } = error as Error
  return cause instanceof pg.DatabaseError && ['55P03', '40P01'].includes(cause.code ?? '')
}
