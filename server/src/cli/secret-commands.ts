// `parley secret …`: the secret that everything in the database is sealed with, and its replacement.
import type { Command } from 'commander'
import { sealedColumns } from '../main/sealed-columns.ts'
import { forgetSecret, rotateSecret, secretStatus } from '../platform/secret-rotation.ts'
import { progressBar } from './progress-bar.ts'
import type { Shell } from './shell.ts'

export default function addSecretCommands(secret: Command, { terminal, withInfrastructure }: Shell): void {
  secret
    .command('status')
    .description('which secret is in use, and what is still sealed otherwise')
    .action(() => withInfrastructure((infrastructure) => secretStatus(infrastructure, sealedColumns)))
  secret
    .command('rotate')
    .description(
      'seals everything anew while the service runs: with PARLEY_SECRET, if PARLEY_SECRET_PREVIOUS is the one in use, or with a new one in PARLEY_DATA_DIR',
    )
    .addHelpText('after', '\nMay be interrupted at any time; run again, it goes on.')
    .action(() =>
      withInfrastructure(async (infrastructure) => {
        const bar = progressBar(terminal.stderr)
        const rotated = await rotateSecret(infrastructure, {
          sealedColumns,
          onProgress: ({ done, total }) => bar.show(total === 0 ? 1 : done / total),
        }).finally(() => bar.clear())
        if (!rotated) return { rotated: false, reason: 'PARLEY_SECRET is the one in use already.' }
        if (rotated.unreadable.length > 0) terminal.exitCode = 1
        return { rotated: true, values: rotated.done, unreadable: rotated.unreadable.join(', ') || 'none' }
      }),
    )
  secret
    .command('forget')
    .description('removes the previous secret from PARLEY_DATA_DIR: links that it has signed end')
    .action(() =>
      withInfrastructure(async (infrastructure) => {
        await forgetSecret(infrastructure)
        return { forgotten: true }
      }),
    )
}
