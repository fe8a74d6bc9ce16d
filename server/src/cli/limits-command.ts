// `parley workspace limits`: what a workspace may call, and how often.
import { dashboard, Id } from '@parley/contract'
import type { Command } from 'commander'
import { workspaces } from '../resources/workspaces/workspaces.ts'
import type { Shell } from './call-commands.ts'

interface LimitOptions {
  allow?: string[]
  perMinute?: string
  perDay?: string
  atATime?: string
}

export function addLimitsCommand(workspace: Command, { withInfrastructure, checked }: Shell): void {
  workspace
    .command('limits')
    .description('what it may call, and how often; `none` removes a limit')
    .argument('<workspace-id>')
    .option(
      '--allow <destination...>',
      'countries (DE) and beginnings of numbers (+8816); `own`: those of its own numbers',
    )
    .option('--per-minute <calls>', 'that are dialled')
    .option('--per-day <calls>', 'that are dialled, in UTC')
    .option('--at-a-time <calls>', 'in both directions')
    .action((id: string, { allow, perMinute, perDay, atATime }: LimitOptions) =>
      withInfrastructure(({ db }) => {
        const change = checked(dashboard.updateWorkspace.body, {
          ...(allow && { allowed_destinations: allow[0] === 'own' ? null : allow }),
          ...(perMinute !== undefined && { calls_per_minute: limitOf(perMinute) }),
          ...(perDay !== undefined && { calls_per_day: limitOf(perDay) }),
          ...(atATime !== undefined && { max_concurrency: limitOf(atATime) }),
        })
        return workspaces(db).update(checked(Id, id), change)
      }),
    )
}

const limitOf = (text: string): number | null => (text === 'none' ? null : Number(text))
