// `parley key …`: API keys, bound to a workspace or not.
import { dashboard, Id, type Role } from '@parley/contract'
import type { Command } from 'commander'
import { keys, type Reach } from '../resources/keys/keys.ts'
import { workspaces } from '../resources/workspaces/workspaces.ts'
import { listAll } from './list-all.ts'
import type { Shell } from './shell.ts'

interface KeyOptions {
  role?: string
  workspace?: string
  access?: string[]
}

export function addKeyCommands(key: Command, { withInfrastructure, checked }: Shell): void {
  const reachOf = ({ workspace: workspaceId, access }: KeyOptions): Reach => {
    if (workspaceId && !access) return { workspaceId: checked(Id, workspaceId) }
    if (access && !workspaceId) return { access: access.map((id) => checked(Id, id)) }
    return key.error('Give either --workspace (a bound key) or --access (an unbound one).')
  }

  key
    .command('list')
    .action(() => withInfrastructure(listAll((page) => keys(page.db).list(null, page.query))))
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
