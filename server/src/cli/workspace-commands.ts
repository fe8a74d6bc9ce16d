// `parley workspace …`: the workspaces of the installation, and what each may use.
import type { Command } from 'commander'
import { workspaceDeletions, workspaces } from '../resources/workspaces/workspaces.ts'
import { addLimitsCommand } from './limits-command.ts'
import type { Shell } from './shell.ts'
import { everyPage, workspaceGiven } from './workspace-option.ts'

export default function addWorkspaceCommands(workspace: Command, shell: Shell): void {
  const { withInfrastructure } = shell
  workspace
    .command('list')
    .action(() => withInfrastructure(({ db }) => everyPage((page) => workspaces(db).list(null, page))))
  workspace
    .command('create')
    .argument('<name>')
    .action((name: string) => withInfrastructure(({ db }) => workspaces(db).create(name)))
  workspace
    .command('rename')
    .argument('<workspace>', 'id or name')
    .argument('<name>')
    .action((given: string, name: string) =>
      withInfrastructure(async ({ db }) => workspaces(db).update(await workspaceGiven(db, given), { name })),
    )
  addLimitsCommand(workspace, shell)
  workspace
    .command('delete')
    .description('with everything in it; calls under way are ended. The service does it in the background')
    .argument('<workspace>', 'id or name')
    .argument('<name>', 'its name once more, so that it is the right one')
    .action((given: string, name: string) =>
      withInfrastructure(async ({ db }) => {
        const by = { userId: null, name: 'the command line' }
        return workspaceDeletions(db).request(await workspaceGiven(db, given), name, by)
      }),
    )
  workspace
    .command('deletions')
    .description('how far each deletion is, and what is gone')
    .action(() =>
      withInfrastructure(({ db }) => everyPage((page) => workspaceDeletions(db).list(null, page))),
    )
}
