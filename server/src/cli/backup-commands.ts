// `parley backup` and `parley restore`: a whole installation in one file. `parley migrate`: its database before an
// upgrade.
import type { Command } from 'commander'
import { z } from 'zod'
import { backUp, restore } from '../main/backup.ts'
import { findDatabase, prepareDataDir } from '../platform/db/find-database.ts'
import { migrate } from '../platform/db/migrate.ts'
import { listArchives } from '../platform/retention/archive-store.ts'
import { lastLine } from './progress-bar.ts'
import type { Shell, Terminal } from './shell.ts'

/** Each group adds its own. */
export default (command: Command, shell: Shell): void => adders[command.name()]?.(command, shell)

const adders: Readonly<Record<string, (command: Command, shell: Shell) => void>> = {
  archive: addArchiveCommand,
  backup: addBackupCommand,
  restore: addRestoreCommand,
  migrate: addMigrateCommand,
}

function addBackupCommand(backup: Command, { terminal, withInfrastructure }: Shell): void {
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

function addRestoreCommand(command: Command, { terminal, withConfig }: Shell): void {
  command.argument('<file>').action((file: string) =>
    withConfig(async (config) => {
      const line = statusLine(terminal.stderr)
      const { secret, ...report } = await restore(config, file, line.show).finally(line.clear)
      return { file, ...report, secret }
    }),
  )
}

function addMigrateCommand(command: Command, { withConfig }: Shell): void {
  command.action(() =>
    withConfig(async (config) => {
      await prepareDataDir(config.dataDir)
      const { sessions, stop } = await findDatabase(config)
      const applied = await migrate(sessions).finally(stop)
      return { applied: applied.length === 0 ? 'nothing: it is up to date' : applied.join(', ') }
    }),
  )
}

const Log = z.enum(['calls', 'events'], 'calls or events')
const Most = z.coerce.number('a whole number').int().min(1).max(10_000)

function addArchiveCommand(archive: Command, { withInfrastructure, checked }: Shell): void {
  archive
    .command('list')
    .description('day by day, the newest first, with those that are still to be written')
    .option('--log <name>', 'only calls, or only events')
    .option('--most <days>', 'how many', '100')
    .action(({ log, most }: { log?: 'calls' | 'events'; most: string }) =>
      withInfrastructure(async ({ db }) => {
        const rows = await listArchives(db, log === undefined ? null : checked(Log, log), checked(Most, most))
        return rows.map(({ completed_at, records, bytes, ...row }) => ({
          ...row,
          records: records === null ? null : Number(records),
          bytes: bytes === null ? null : Number(bytes),
          archived_at: completed_at?.toISOString() ?? null,
        }))
      }),
    )
}

// The line is drawn often enough to look alive.
const everyMs = 100

function statusLine(stream: Terminal['stderr']) {
  const { draw, clear } = lastLine(stream)
  let shownAt = 0
  const show = (what: string, bytes: number): void => {
    if (performance.now() - shownAt < everyMs) return
    shownAt = performance.now()
    draw(`${what}  ${(bytes / 1e6).toFixed(1)} MB`)
  }
  return { show, clear }
}
