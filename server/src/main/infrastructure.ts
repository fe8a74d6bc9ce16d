// Opens what all parts depend on: the data directory, the secret and the database.
import type { Config } from '../platform/config.ts'
import { shareClaimant } from '../platform/db/claim.ts'
import { shareConnections } from '../platform/db/connection.ts'
import { openDb } from '../platform/db/db.ts'
import { findDatabase, keepsNames, prepareDataDir } from '../platform/db/find-database.ts'
import { migrate } from '../platform/db/migrate.ts'
import { openGuard } from '../platform/guard/guard.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import type { Log } from '../platform/log.ts'
import { agreeOnSecret, openVaultOf } from '../platform/secret-rotation.ts'
import { tracesFor } from '../platform/telemetry/telemetry.ts'
import { sealStoredSecrets } from '../resources/agents/agents.ts'

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
