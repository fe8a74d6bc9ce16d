// The operator's command line: workspaces, dashboard users, API keys, calls, batches. It works on the database
// directly, whether or not the service is running. `listen`, `say` and `transcribe` need no database.
import { dashboard, Id, limits, type Role } from '@parley/contract'
import { type ListenFlags, listen, readListenFlags } from '@parley/sdk/listen'
import { Command } from 'commander'
import type { z } from 'zod'
import { Failure } from '../http/failure.ts'
import { sentenceFor } from '../http/fault-messages.ts'
import { type Infrastructure, openInfrastructure } from '../main/infrastructure.ts'
import { readConfig, SettingError } from '../platform/config.ts'
import { openLog } from '../platform/log.ts'
import { keys, type Reach } from '../resources/keys/keys.ts'
import { users } from '../resources/users/users.ts'
import { workspaceDeletions, workspaces } from '../resources/workspaces/workspaces.ts'
import { addAgentCommands } from './agent-commands.ts'
import { addArchiveCommand } from './archive-command.ts'
import { addBatchCommands } from './batch-commands.ts'
import { addCallCommands } from './call-commands.ts'
import { addCredentialCommands } from './credential-commands.ts'
import { addDoctorCommand } from './doctor-command.ts'
import { addKnowledgeCommands } from './knowledge-commands.ts'
import { addLimitsCommand } from './limits-command.ts'
import { addNumberCommands } from './number-commands.ts'

import { addPeopleCommands } from './people-commands.ts'
import { addPronunciationCommands } from './pronunciation-commands.ts'
import { addSayCommand } from './say-command.ts'
import { addToolCommands } from './tool-commands.ts'
import { addTranscribeCommand } from './transcribe-command.ts'
import { addUsageCommands } from './usage-commands.ts'
import { findWorkspace } from './workspace-option.ts'

const parley = new Command('parley')
  .description('Administers a Parley installation. Settings come from the environment, as for the service.')
  .option('--json', 'print JSON instead of a table')

const workspace = parley.command('workspace').description('workspaces')
workspace
  .command('list')
  .action(() => withInfrastructure(listAll((page) => workspaces(page.db).list(null, page.query))))
workspace
  .command('create')
  .argument('<name>')
  .action((name: string) => withInfrastructure(({ db }) => workspaces(db).create(name)))
workspace
  .command('rename')
  .argument('<workspace-id>')
  .argument('<name>')
  .action((id: string, name: string) =>
    withInfrastructure(({ db }) => workspaces(db).update(checked(Id, id), { name })),
  )
addLimitsCommand(workspace, { withInfrastructure, checked })
workspace
  .command('delete')
  .description('with everything in it; calls under way are ended. The service does it in the background')
  .argument('<workspace-id>')
  .argument('<name>', 'its name, so that it is the right one')
  .action((id: string, name: string) =>
    withInfrastructure(({ db }) =>
      workspaceDeletions(db).request(checked(Id, id), name, { userId: null, name: 'the command line' }),
    ),
  )

const user = parley.command('user').description('users of the dashboard')
addPeopleCommands(user, { withInfrastructure, checked })
user.command('list').action(() => withInfrastructure(listAll((page) => users(page.db).list(page.query))))
user
  .command('remove')
  .argument('<email>')
  .action((email: string) =>
    withInfrastructure(async ({ db }) => users(db).remove(await users(db).idOf(email))),
  )

const key = parley.command('key').description('API keys')
key.command('list').action(() => withInfrastructure(listAll((page) => keys(page.db).list(null, page.query))))
key
  .command('create')
  .argument('<label>')
  .option('--workspace <id>', 'bind the key to this workspace')
  .option('--access <id...>', 'leave it unbound, with access to these workspaces')
  .option('--role <role>', 'viewer, editor or admin; without it, it may do everything')
  .action((label: string, options: KeyOptions) =>
    withInfrastructure(async ({ db }) => {
      const reach = reachOf(options)
      await workspaces(db).mustExist('access' in reach ? reach.access : [reach.workspaceId], 'workspace')
      const role = options.role ? checked(dashboard.Role, options.role as Role) : null
      return keys(db).create(label, reach, role)
    }),
  )
key
  .command('label')
  .argument('<key-id>')
  .argument('<label>')
  .action((id: string, label: string) =>
    withInfrastructure(({ db }) => keys(db).update(() => null, checked(Id, id), { label })),
  )
key
  .command('revoke')
  .argument('<key-id>')
  .action((id: string) =>
    withInfrastructure(({ db }) => keys(db).update(() => null, checked(Id, id), { active: false })),
  )
key
  .command('activate')
  .argument('<key-id>')
  .action((id: string) =>
    withInfrastructure(({ db }) => keys(db).update(() => null, checked(Id, id), { active: true })),
  )

addArchiveCommand(parley, { withInfrastructure, checked })
addAgentCommands(parley, { withInfrastructure, checked })
addCallCommands(parley, { withInfrastructure, checked })
addBatchCommands(parley, { withInfrastructure, checked })
addNumberCommands(parley, { withInfrastructure, checked })
addKnowledgeCommands(parley, { withInfrastructure, checked })
addDoctorCommand(parley, { withInfrastructure, checked })
addPronunciationCommands(parley, { withInfrastructure, checked })
addCredentialCommands(parley, { withInfrastructure, checked })
addToolCommands(parley, { withInfrastructure, checked })
addUsageCommands(parley, { withInfrastructure, checked })
addTranscribeCommand(parley, checked)
addSayCommand(parley)

parley
  .command('listen')
  .description('receives webhook deliveries on this machine and says of each whether it verifies')
  .requiredOption('--secret <secret...>', 'what the endpoint was created with, whsec_ included')
  .option('--port <port>', '0 takes any free one', '4000')
  .option('--host <host>', 'the address to listen on', '127.0.0.1')
  .option('--fail <status>', 'answer this to everything, to see retries')
  .option('--delay <time>', 'wait before answering, as in 3s or 250ms')
  .option('--full', 'show the whole event')
  .addHelpText('after', '\nWith --json, each delivery is one line of JSON. Ctrl-C ends it.')
  .action(async (flags: ListenFlags) => {
    try {
      const options = readListenFlags({ ...flags, json: parley.opts().json })
      const { url } = await listen(options, console.log)
      console.error(`Listening on ${url}`)
    } catch (error) {
      parley.error(error instanceof Error ? error.message : String(error))
    }
  })

parley.hook('preAction', (_parley, command) => findWorkspace(command, { withInfrastructure }))
await parley.parseAsync()

interface KeyOptions {
  role?: string
  workspace?: string
  access?: string[]
}

function reachOf({ workspace: workspaceId, access }: KeyOptions): Reach {
  if (workspaceId && !access) return { workspaceId: checked(Id, workspaceId) }
  if (access && !workspaceId) return { access: access.map((id) => checked(Id, id)) }
  return parley.error('Give either --workspace (a bound key) or --access (an unbound one).')
}

/** The same validation as the API. */
function checked<Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>): z.output<Schema> {
  const outcome = schema.safeParse(value)
  if (outcome.success) return outcome.data
  const faults = outcome.error.issues.map(
    (issue) => `${issue.path.join('.') || value}: ${sentenceFor(issue)}`,
  )
  return parley.error(faults.join('\n'))
}

/** Reads all pages. */
function listAll<Item>(
  read: (page: Infrastructure & { query: { page: number; limit: number } }) => Promise<{ data: Item[] }>,
) {
  return async (infrastructure: Infrastructure): Promise<Item[]> => {
    const items: Item[] = []
    for (let page = 1; ; page++) {
      const { data } = await read({ ...infrastructure, query: { page, limit: limits.limit.max } })
      items.push(...data)
      if (data.length < limits.limit.max) return items
    }
  }
}

async function withInfrastructure(run: (infrastructure: Infrastructure) => Promise<unknown>): Promise<void> {
  try {
    const config = readConfig(process.env)
    const infrastructure = await openInfrastructure(
      config,
      openLog({ logLevel: 'silent', logFormat: 'json' }, false).log,
    )
    try {
      const result = await run(infrastructure)
      if (result !== undefined) print(result)
    } finally {
      await infrastructure.close()
    }
  } catch (error) {
    if (error instanceof Failure) {
      const faults = error.details.map(({ path, message }) => `${path}: ${message}`)
      parley.error(faults.join('\n') || error.message)
    }
    if (error instanceof SettingError) parley.error(error.message)
    throw error
  }
}

function print(result: unknown): void {
  if (parley.opts().json) console.log(JSON.stringify(result, null, 2))
  else console.log(Array.isArray(result) ? columns(result) : lines(result as object))
}

function lines(item: object): string {
  return Object.entries(item)
    .map(([name, value]) => `${name.padEnd(20)}${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join('\n')
}

function columns(items: object[]): string {
  const names = Object.keys(items[0] ?? {})
  const table = [names, ...items.map((item) => Object.values(item).map((value) => String(value ?? '–')))]
  const widths = names.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)))
  return table
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
