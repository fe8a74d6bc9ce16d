// `parley workspace …`: the workspaces of the installation, and what each may use.
import { Id } from '@parley/contract'
import type { Command } from 'commander'
import { workspaceDeletions, workspaces } from '../resources/workspaces/workspaces.ts'
import { addLimitsCommand } from './limits-command.ts'
import { listAll } from './list-all.ts'
import type { Shell } from './shell.ts'

export function addWorkspaceCommands(workspace: Command, shell: Shell): void {
  const { withInfrastructure, checked } = shell
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
  addLimitsCommand(workspace, shell)
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
  workspace
    .command('deletions')
    .description('how far each deletion is, and what is gone')
    .action(() => withInfrastructure(listAll((page) => workspaceDeletions(page.db).list(null, page.query))))
}
