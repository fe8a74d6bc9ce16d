// `parley backup` and `parley restore`: a whole installation in one file. `parley migrate`: its database before an upgrade.
import type { Command } from 'commander'
import { backUp } from '../main/backup.ts'
import { findDatabase, prepareDataDir } from '../main/infrastructure.ts'
import { restore } from '../main/restore.ts'
import { migrate } from '../platform/db/migrate.ts'
import type { Shell } from './shell.ts'
import { statusLine } from './status-line.ts'

export function addBackupCommands(parley: Command, { withInfrastructure, withConfig }: Shell): void {
  parley
    .command('backup')
    .description('writes the database, recordings and uploads to one file, while the service runs')
    .argument('<file>', 'such as parley.tar.gz')
    .option('--without-files', 'only the database, if the bucket of recordings has copies of its own')
    .addHelpText(
      'after',
      '\nThe secret is not in it. Keep PARLEY_SECRET, or the file `secret` of PARLEY_DATA_DIR, somewhere else.',
    )
    .action((file: string, { withoutFiles = false }: { withoutFiles?: boolean }) =>
      withInfrastructure(async (infrastructure) => {
        const line = statusLine(process.stderr)
        const options = { withFiles: !withoutFiles, onProgress: line.show }
        const { secret, ...report } = await backUp(infrastructure, file, options).finally(line.clear)
        return { file, ...report, needs_secret: secret }
      }),
    )
  parley
    .command('restore')
    .description('puts a back-up into an empty database and empty storage; then start the service')
    .argument('<file>')
    .action((file: string) =>
      withConfig(async (config) => {
        const line = statusLine(process.stderr)
        const { secret, ...report } = await restore(config, file, line.show).finally(line.clear)
        return { file, ...report, secret }
      }),
    )
  parley
    .command('migrate')
    .description('brings the database to this release and ends; the service does it by itself when it starts')
    .action(() =>
      withConfig(async (config) => {
        await prepareDataDir(config.dataDir)
        const { connection, stop } = await findDatabase(config)
        const applied = await migrate(connection).finally(stop)
        return { applied: applied.length === 0 ? 'nothing: it is up to date' : applied.join(', ') }
      }),
    )
}
