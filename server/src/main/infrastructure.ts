// What all parts depend on: the data directory, the secret and the database.
import { access, constants, mkdir } from 'node:fs/promises'
import pg from 'pg'
import { type Config, SettingError } from '../platform/config.ts'
import { shareConnections } from '../platform/db/connection.ts'
import { type Connection, type Db, openDb } from '../platform/db/db.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { probePooler } from '../platform/db/pooler.ts'
import { type OpenSharedClaimant, shareClaimant } from '../platform/db/shared-claimant.ts'
import { type Guard, openGuard } from '../platform/guard/guard.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../platform/secrets.ts'
import { tracesFor } from '../platform/telemetry/telemetry.ts'
import type { Traces } from '../platform/telemetry/traces.ts'
import { sealStoredSecrets } from '../resources/agents/agents.ts'
import { agreeOnSecret, openVaultOf } from './secret.ts'

export interface Infrastructure {
  readonly config: Config
  readonly log: Log
  /** For what needs a session of its own. */
  readonly sessions: Connection
  readonly db: Db
  readonly vault: Vault
  /** Checks every URL given by a user. */
  readonly guard: Guard
  /** Undefined: nobody wants them. */
  readonly traces: Traces | undefined
  /** For workers: a claimant id whose holder is known to be alive. */
  readonly openClaimant: OpenSharedClaimant
  close(): Promise<void>
}

export async function openInfrastructure(config: Config, log: Log): Promise<Infrastructure> {
  await prepareDataDir(config.dataDir)
  const vault = await openVaultOf(config)
  await using opened = new AsyncDisposableStack()
  const { connection, sessions, stop } = await findDatabase(config)
  opened.defer(stop)
  const applied = await migrate(sessions)
  if (applied.length > 0) log.info({ migrations: applied }, 'schema migrated')
  const shares = shareConnections(config.databaseConnections)
  const onLost = (err: Error) => log.warn({ err }, 'database connection lost')
  const options = {
    sessions,
    replica: config.databaseReadUrl ? { connectionString: config.databaseReadUrl } : undefined,
    namedStatements: sessions === connection || (await keepsNames(connection, log)),
  }
  const db = opened.adopt(openDb(connection, shares, onLost, options), (it) => it.close())
  await agreeOnSecret({ config, db, vault }, log)
  const sealed = await sealStoredSecrets(db, vault)
  if (sealed > 0) log.info({ agents: sealed }, 'secrets in stored agents encrypted')
  const guard = opened.adopt(
    openGuard({ allowPrivate: config.webhookAllowPrivate, trustedHosts: config.trustedHosts }),
    (it) => it.close(),
  )
  const openClaimant = shareClaimant(sessions)
  const traces = opened.adopt(await tracesFor(config), (it) => it?.close())
  const running = opened.move()
  const close = () => running.disposeAsync()
  return { config, log, sessions, db, vault, guard, traces, openClaimant, close }
}

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

async function keepsNames(pooler: Connection, log: Log): Promise<boolean> {
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
