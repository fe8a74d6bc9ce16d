// `parley usage` and `parley caller …`: what a workspace has used, and what is known of its callers.
import { getUsage, Id } from '@parley/contract'
import type { Command } from 'commander'
import { committed } from '../http/work.ts'
import { callers } from '../resources/callers/callers.ts'
import { csvOfUsage, mostGroups, usage } from '../resources/usage/usage.ts'
import type { Shell } from './shell.ts'
import { type InWorkspace, inWorkspace } from './workspace-option.ts'

interface UsageOptions extends InWorkspace {
  from?: string
  to?: string
  timezone?: string
  by?: string
  csv?: boolean
}

/** Each group adds its own. */
export default (command: Command, shell: Shell): void => adders[command.name()]?.(command, shell)

const adders: Readonly<Record<string, (command: Command, shell: Shell) => void>> = {
  usage: addUsageCommand,
  caller: addCallerCommands,
}

function addUsageCommand(command: Command, { terminal, withInfrastructure, checked }: Shell): void {
  inWorkspace(command, 'whose calls')
    .option('--from <day>', 'otherwise 30 days')
    .option('--to <day>', 'otherwise today')
    .option('--timezone <name>', 'of days, such as Europe/Paris; otherwise UTC')
    .option('--by <group>', 'day, agent, batch, number or vendor', 'day')
    .option('--csv', 'print CSV')
    .action(({ workspace, from, to, timezone, by, csv }: UsageOptions) =>
      withInfrastructure(async ({ db, config }) => {
        const { group_by: groupBy, ...query } = checked(getUsage.query, {
          group_by: by as never,
          timezone,
          from,
          to,
        })
        const whole = { ...query, groupBy, page: 1, limit: mostGroups }
        const report = await usage(db, config.workspaceConcurrency).report(workspace, whole)
        if (!csv) return report.data
        terminal.stdout.write(csvOfUsage(report))
        return undefined
      }),
    )
}

function addCallerCommands(caller: Command, { withInfrastructure, checked }: Shell): void {
  const id = (text: string) => checked(Id, text)
  const command = (name: string) => inWorkspace(caller.command(name), 'whose caller')
  command('show')
    .argument('<number>', 'E.164, a sip: address, or the caller_id of browser calls')
    .action((number: string, { workspace }: InWorkspace) =>
      withInfrastructure(({ db, vault }) => callers(db, vault).get(workspace, number)),
    )
  command('erase')
    .description('everything about them; a running service does the work')
    .argument('<number>', 'as for show')
    .action((number: string, { workspace }: InWorkspace) =>
      withInfrastructure(({ db, vault }) =>
        committed(db, (work) => callers(db, vault).erase(workspace, number, work)),
      ),
    )
  command('erasure')
    .description('how far an erasure is')
    .argument('<erasure-id>')
    .action((erasureId: string, { workspace }: InWorkspace) =>
      withInfrastructure(({ db, vault }) => callers(db, vault).erasure(workspace, id(erasureId))),
    )
}
