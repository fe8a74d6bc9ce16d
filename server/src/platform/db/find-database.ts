// Finds the database of a process: an embedded one in the data directory, or the one that the operator names.
import { access, constants, mkdir } from 'node:fs/promises'
import pg from 'pg'
import { type Config, SettingError } from '../config.ts'
import type { Log } from '../log.ts'
import type { Connection } from './connection.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { probePooler } from './pooler.ts'

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
  /** The same, unless that is a pooler. */
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
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    throw new SettingError(setting, `does not lead to a PostgreSQL that lets us in: ${message || code}.`, {
      cause: error,
    })
  } finally {
    await client.end().catch(() => {})
  }
}
