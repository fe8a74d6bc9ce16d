// `parley user`: who may sign in to the dashboard, and what they may do.
import { dashboard, type Role } from '@parley/contract'
import type { Command } from 'commander'
import { z } from 'zod'
import { fail } from '../http/failure.ts'
import { randomBase62 } from '../platform/ids.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import { invitations, users } from '../resources/users/users.ts'
import { workspaces } from '../resources/workspaces/workspaces.ts'
import type { Shell } from './shell.ts'
import { everyPage, workspaceGiven } from './workspace-option.ts'

interface RightsOptions {
  readonly owner?: boolean
  readonly role: string
  readonly workspace: readonly string[]
}

const Credentials = z.strictObject({ email: dashboard.Email, password: dashboard.Password })

const withRights = (command: Command): Command =>
  command
    .option('--owner', 'may do everything in every workspace')
    .option('--role <role>', 'viewer, editor or admin', 'editor')
    .option(
      '--workspace <id-or-name...>',
      'the workspaces in which they have this role; not needed if there is one workspace only',
      [],
    )

export default function addPeopleCommands(user: Command, { withInfrastructure, checked }: Shell): void {
  const rightsOf = async (
    { db }: Infrastructure,
    { owner = false, role, workspace }: RightsOptions,
  ): Promise<{ owner: boolean; workspaces: dashboard.Membership[] }> => {
    const named = !owner && workspace.length === 0 ? [undefined] : workspace
    const ids = await Promise.all(named.map((given) => workspaceGiven(db, given)))
    await workspaces(db).mustExist(ids, 'workspace')
    const given = checked(dashboard.Role, role as Role)
    return { owner, workspaces: ids.map((workspace_id) => ({ workspace_id, role: given })) }
  }
  const linksOf = ({ db, config }: Infrastructure) =>
    invitations({ db, validHours: config.invitationHours, publicUrl: config.publicUrl })
  const userAt = async (
    infrastructure: Infrastructure,
    email: string,
    ifInvited: string,
  ): Promise<string> => {
    const userId = await users(infrastructure.db).idOf(email)
    if (userId) return userId
    const message = (await linksOf(infrastructure).isInvited(email))
      ? `${email} was invited and has not accepted yet. ${ifInvited}`
      : `There is no user with the address ${email}.`
    return fail('USER_NOT_FOUND', { message })
  }
  const originOf = ({ config }: Infrastructure) => `http://localhost:${config.port}`
  const by = 'the command line'

  withRights(user.command('invite'))
    .description('a link with which somebody chooses a name and a password; it works once')
    .argument('<email>')
    .action((email: string, options: RightsOptions) =>
      withInfrastructure(async (infrastructure) => {
        const rights = await rightsOf(infrastructure, options)
        const wish = {
          email: checked(dashboard.Email, email),
          ...rights,
          by,
          origin: originOf(infrastructure),
        }
        return linksOf(infrastructure).invite(wish)
      }),
    )
  withRights(user.command('create'))
    .description('for scripts; people are better invited')
    .argument('<email>')
    .option('--password <password>', 'otherwise one is made and shown')
    .action((email: string, { password, ...options }: RightsOptions & { password?: string }) =>
      withInfrastructure(async (infrastructure) => {
        const chosen = password ?? randomBase62(20)
        const credentials = checked(Credentials, { email, password: chosen })
        const rights = await rightsOf(infrastructure, options)
        const made = await users(infrastructure.db).create({ ...credentials, ...rights })
        return password ? made : { ...made, password: chosen }
      }),
    )
  user
    .command('password')
    .description('a link with which a user chooses a new password; with --password it is set at once')
    .argument('<email>')
    .option('--password <password>', 'their sessions end')
    .action((email: string, { password }: { password?: string }) =>
      withInfrastructure(async (infrastructure) => {
        const rules = users(infrastructure.db)
        const newLink = `For a new link, invite them again with their role: parley user invite ${email}`
        const userId = await userAt(infrastructure, email, newLink)
        return password
          ? rules.update(userId, checked(Credentials.pick({ password: true }), { password }))
          : linksOf(infrastructure).passwordLink(userId, by, originOf(infrastructure))
      }),
    )
  user.command('list').action(() => withInfrastructure(({ db }) => everyPage((page) => users(db).list(page))))
  user
    .command('remove')
    .argument('<email>')
    .action((email: string) =>
      withInfrastructure(async (infrastructure) => {
        const revoke = 'Revoke the invitation on the page People of the dashboard.'
        return users(infrastructure.db).remove(await userAt(infrastructure, email, revoke))
      }),
    )
}
