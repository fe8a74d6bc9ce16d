// Finds the database of a process: an embedded one in the data directory, or the one that the operator names.

import { randomUUID } from 'node:crypto'
import { access, constants, mkdir } from 'node:fs/promises'
import pg from 'pg'
import { type Config, SettingError } from '../config.ts'
import type { Log } from '../log.ts'
import { type Connection, openSession, sessionTimeout } from './connection.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SettingError('PARLEY_DATA_DIR', `is ${dataDir}, which cannot be written (${code}).`, {
      cause: error,
    })
  }
}

interface Database {
  readonly connection: Connection
  /** The connection of sessions: the same, unless that one leads to a pooler. */
  readonly sessions: Connection
  stop(): Promise<void>
}

export async function findDatabase({ databaseUrl, databaseSessionUrl, dataDir }: Config): Promise<Database> {
  if (databaseUrl === undefined) {
    const embedded = await startEmbeddedPostgres(dataDir)
    return { ...embedded, sessions: embedded.connection }
  }
  const connection = { connectionString: databaseUrl }
  await mustAnswer('DATABASE_URL', connection)
  if (databaseSessionUrl === undefined) return { connection, sessions: connection, stop: async () => {} }
  const sessions = { connectionString: databaseSessionUrl }
  await mustAnswer('PARLEY_DATABASE_SESSION_URL', sessions)
  return { connection, sessions, stop: async () => {} }
}

/** Whether named statements survive in its connections. */
export async function keepsNames(pooler: Connection, log: Log): Promise<boolean> {
  const { keepsNames, unset } = await probePooler(pooler)
  if (!keepsNames) log.info('the pooler keeps no named statements: they are planned every time')
  if (unset.length > 0)
    log.warn({ parameters: unset }, 'the pooler should set these parameters: see docs/operations/database.md')
  return keepsNames
}

async function mustAnswer(setting: string, connection: Connection): Promise<void> {
  try {
    await using _ = await openSession({ ...connection, connectionTimeoutMillis: 10_000 })
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    throw new SettingError(setting, `does not lead to a PostgreSQL that lets us in: ${message || code}.`, {
      cause: error,
    })
  }
}

// What a connection pooler in transaction mode, such as PgBouncer, does with our statements.
//
// A statement is prepared on whichever server connection happens to be free. A pooler that keeps track of names
// prepares it wherever it is used, under a name of its own (PgBouncer since 1.21); others pass ours on, and the next
// client finds it missing or taken.

interface Pooler {
  readonly keepsNames: boolean
  /** Parameters of connections that it should set and does not; see docs/operations/database.md. */
  readonly unset: readonly string[]
}

// The parameters that `byIndex` and the timeouts in db.ts set where there is no pooler; a pooler would not pass them
// on.
const wanted = `
  SELECT name FROM pg_settings
  WHERE name IN ('enable_seqscan', 'jit') AND setting <> 'off'
    OR name = 'plan_cache_mode' AND setting <> 'force_generic_plan'
    OR name IN ('statement_timeout', 'idle_in_transaction_session_timeout') AND setting = '0'
  ORDER BY name`

export async function probePooler(connection: Connection): Promise<Pooler> {
  await using client = await openSession({ ...connection, ...sessionTimeout })
  const name = `parley-${randomUUID()}`
  const known = 'SELECT 1 FROM pg_prepared_statements WHERE name = $1'
  // The probe is one transaction and so one server connection, on which nothing may be left behind.
  await client.query('BEGIN')
  const { rows: own } = await client.query({ name, text: known, values: [name] })
  if (own.length > 0) await client.query(`DEALLOCATE ${pg.escapeIdentifier(name)}`)
  const { rows: unset } = await client.query<{ name: string }>(wanted)
  await client.query('COMMIT')
  return { keepsNames: own.length === 0, unset: unset.map((row) => row.name) }
}
