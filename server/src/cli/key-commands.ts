// `parley key …`: API keys, of one workspace or of several.
import { dashboard, Id, type Role } from '@parley/contract'
import type { Command } from 'commander'
import type { Queries } from '../platform/db/db.ts'
import { keys, type Reach } from '../resources/keys/keys.ts'
import { workspaces } from '../resources/workspaces/workspaces.ts'
import type { Shell } from './shell.ts'
import { everyPage, workspaceGiven } from './workspace-option.ts'

interface KeyOptions {
  role?: string
  workspace?: string
  access?: string[]
}

export default function addKeyCommands(key: Command, { withInfrastructure, checked }: Shell): void {
  const reachOf = async (db: Queries, { workspace, access }: KeyOptions): Promise<Reach> => {
    if (workspace && access)
      return key.error('Give either --workspace (a key of one workspace) or --access (of several).')
    if (access) return { access: await Promise.all(access.map((given) => workspaceGiven(db, given))) }
    return { workspaceId: await workspaceGiven(db, workspace) }
  }

  key
    .command('list')
    .action(() => withInfrastructure(({ db }) => everyPage((page) => keys(db).list(null, page))))
  key
    .command('create')
    .argument('<label>')
    .option(
      '--workspace <id-or-name>',
      'the key is for this workspace; not needed if there is one workspace only',
    )
    .option(
      '--access <id-or-name...>',
      'the key is for these workspaces, and every request names one of them',
    )
    .option('--role <role>', 'viewer, editor or admin; without it, it may do everything')
    .action((label: string, options: KeyOptions) =>
      withInfrastructure(async ({ db }) => {
        const reach = await reachOf(db, options)
        await workspaces(db).mustExist('access' in reach ? reach.access : [reach.workspaceId], 'workspace')
        const role = options.role ? checked(dashboard.Role, options.role as Role) : null
        return keys(db).create(label, reach, role)
      }),
    )
  const change = (id: string, wish: { label?: string; active?: boolean }) =>
    withInfrastructure(({ db }) => keys(db).update(() => null, checked(Id, id), wish))
  key
    .command('label')
    .argument('<key-id>')
    .argument('<label>')
    .action((id: string, label: string) => change(id, { label }))
  key
    .command('revoke')
    .argument('<key-id>')
    .action((id: string) => change(id, { active: false }))
  key
    .command('activate')
    .argument('<key-id>')
    .action((id: string) => change(id, { active: true }))
}
