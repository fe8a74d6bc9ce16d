// `parley workspace limits` and `parley workspace prices`: what a workspace may call and use, and what that costs.
import { dashboard, missingPrices } from '@parley/contract'
import type { Command } from 'commander'
import { fail } from '../http/failure.ts'
import type { Queries } from '../platform/db/db.ts'
import { publicPrices, usage } from '../resources/usage/usage.ts'
import { workspaces } from '../resources/workspaces/workspaces.ts'
import { readGiven } from './given-path.ts'
import type { Shell } from './shell.ts'
import { workspaceGiven } from './workspace-option.ts'

interface LimitOptions {
  allow?: string[]
  perMinute?: string
  perDay?: string
  atATime?: string
  minutesPerDay?: string
  costPerDay?: string
  memoryDays?: string
}

/** The fields of the API by the names of the options. */
const fields = {
  perMinute: 'calls_per_minute',
  perDay: 'calls_per_day',
  atATime: 'max_concurrency',
  minutesPerDay: 'minutes_per_day',
  costPerDay: 'cost_per_day',
  memoryDays: 'memory_days',
} as const satisfies Partial<Record<keyof LimitOptions, keyof dashboard.WorkspaceChange>>

export function addLimitsCommand(workspace: Command, { withInfrastructure, checked }: Shell): void {
  workspace
    .command('limits')
    .description('what it may call and use; `none` removes a limit')
    .argument('[workspace]', 'id or name; not needed if there is one workspace only')
    .option(
      '--allow <destination...>',
      'countries (DE) and beginnings of numbers (+8816); `own`: those of its own numbers',
    )
    .option('--per-minute <calls>', 'that are dialled')
    .option('--per-day <calls>', 'that are dialled, in UTC')
    .option('--at-a-time <calls>', 'in both directions')
    .option('--minutes-per-day <minutes>', 'of all calls, in UTC')
    .option('--cost-per-day <amount>', 'in the currency of its prices, in UTC')
    .option('--memory-days <days>', 'how long agents remember callers after their last call')
    .action((given: string | undefined, { allow, ...limits }: LimitOptions) =>
      withInfrastructure(async ({ db }) => {
        const changed = Object.entries(limits).map(([name, text]) => [
          fields[name as keyof typeof fields],
          limitOf(text),
        ])
        const change = checked(dashboard.updateWorkspace.body, {
          ...(allow && { allowed_destinations: allow[0] === 'own' ? null : allow }),
          ...Object.fromEntries(changed),
        })
        return workspaces(db).update(await workspaceGiven(db, given, 'after `limits`'), change)
      }),
    )
  workspace
    .command('prices')
    .description(
      'what the parts of its calls cost, from a file of JSON; `public` adds the vendors’ price lists where it has no price yet; `none`: nothing has a price',
    )
    .argument('<workspace>', 'id or name')
    .argument('<file>', 'see docs/guide/usage.md')
    .action((given: string, file: string) =>
      withInfrastructure(async ({ db, config }) => {
        const workspaceId = await workspaceGiven(db, given)
        if (file === 'public') return addPublicPrices(db, workspaceId, config.workspaceConcurrency)
        const prices = file === 'none' ? null : jsonIn(file, (await readGiven(file)).toString())
        const change = checked(dashboard.updateWorkspace.body, { prices })
        return workspaces(db).update(workspaceId, change)
      }),
    )
}

/** Prices are set as the dashboard sets them: rows and the currency that were there stay. */
async function addPublicPrices(db: Queries, workspaceId: string, perWorkspace: number): Promise<object> {
  const { currency: listedIn, rows: listed } = publicPrices
  const { currency, rows } = (await usage(db, perWorkspace).prices(workspaceId)) ?? {
    currency: listedIn,
    rows: [],
  }
  const added = missingPrices(rows, listed)
  await workspaces(db).update(workspaceId, { prices: { currency, rows: [...rows, ...added] } })
  return {
    workspace_id: workspaceId,
    currency,
    kept: rows.length,
    added: added.map(({ part, name }) => `${part} ${name}`),
    ...(currency !== listedIn && {
      note: `The added prices are amounts of ${listedIn}; they were not converted.`,
    }),
  }
}

const limitOf = (text: string): number | null => (text === 'none' ? null : Number(text))

function jsonIn(file: string, text: string): NonNullable<dashboard.WorkspaceChange['prices']> {
  try {
    return JSON.parse(text)
  } catch (cause) {
    return fail('INVALID_JSON', { message: `${file} is not valid JSON.`, cause })
  }
}
