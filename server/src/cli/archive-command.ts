// `parley archive list`: the days whose calls and events were written to files before they were deleted.
import type { Command } from 'commander'
import { z } from 'zod'
import { listArchives } from '../platform/retention/archive-store.ts'
import type { Shell } from './shell.ts'

const Log = z.enum(['calls', 'events'], 'calls or events')
const Most = z.coerce.number('a whole number').int().min(1).max(10_000)

export function addArchiveCommand(archive: Command, { withInfrastructure, checked }: Shell): void {
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
