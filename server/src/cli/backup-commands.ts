// `parley backup` and `parley restore`: a whole installation in one file. `parley migrate`: its database before an upgrade.
import type { Command } from 'commander'
import { backUp, restore } from '../main/backup.ts'
import { findDatabase, prepareDataDir } from '../platform/db/find-database.ts'
import { migrate } from '../platform/db/migrate.ts'
import type { Shell } from './shell.ts'
import { statusLine } from './status-line.ts'

export function addBackupCommand(backup: Command, { terminal, withInfrastructure }: Shell): void {
  backup
    .argument('<file>', 'such as parley.tar.gz')
    .option('--without-files', 'only the database, if the bucket of recordings has copies of its own')
    .addHelpText(
      'after',
      '\nThe secret is not in it. Keep PARLEY_SECRET, or the file `secret` of PARLEY_DATA_DIR, somewhere else.',
    )
    .action((file: string, { withoutFiles = false }: { withoutFiles?: boolean }) =>
      withInfrastructure(async (infrastructure) => {
        const line = statusLine(terminal.stderr)
        const options = { withFiles: !withoutFiles, onProgress: line.show }
        const { secret, ...report } = await backUp(infrastructure, file, options).finally(line.clear)
        return { file, ...report, needs_secret: secret }
      }),
    )
}

export function addRestoreCommand(command: Command, { terminal, withConfig }: Shell): void {
  command.argument('<file>').action((file: string) =>
    withConfig(async (config) => {
      const line = statusLine(terminal.stderr)
      const { secret, ...report } = await restore(config, file, line.show).finally(line.clear)
      return { file, ...report, secret }
    }),
  )
}

export function addMigrateCommand(command: Command, { withConfig }: Shell): void {
  command.action(() =>
    withConfig(async (config) => {
      await prepareDataDir(config.dataDir)
      const { sessions, stop } = await findDatabase(config)
      const applied = await migrate(sessions).finally(stop)
      return { applied: applied.length === 0 ? 'nothing: it is up to date' : applied.join(', ') }
    }),
  )
}
